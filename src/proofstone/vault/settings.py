"""``proofstone.yaml``: a vault's settings (spec page 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from proofstone.vault.plain_header import read_plain

FORMAT_VERSION = 1
GOVERNANCE_MODES = ("strict", "compatibility")
MAX_RETENTION_HOURS = 24 * 365 * 100


class SettingsError(ValueError):
    """Why the settings cannot be read, with the line where one is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A vault's settings; a vault without the file has these defaults.

    ``retention_hours`` is how long a settled turn's text is kept at least; ``anchor_root`` the
    folder that anchors like ``path:line`` are relative to (the vault's parent when empty);
    ``keymap`` maps action ids to keys; ``theme`` names the workbench's theme.
    """

    format_version: int = FORMAT_VERSION
    profile: str = ""
    project: str = ""
    governance_mode: str = "strict"
    retention_hours: int = 24
    anchor_root: str = ""
    keymap: Mapping[str, str] = field(default_factory=dict)
    theme: str = ""


def read_settings(data: bytes) -> Settings:
    """Read ``proofstone.yaml``. Unknown keys are left alone. Raises SettingsError."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SettingsError("it is not UTF-8") from error
    header = read_plain(text)
    if header is None:
        from proofstone.vault.yaml_header import read_yaml  # late: a library that few files need

        header = read_yaml(text)
    if header.faults:
        fault = header.faults[0]
        named = f"{fault.key}: " if fault.key else ""
        raise SettingsError(named + fault.message, fault.line - 1)
    reader = _Reader(header.fields, header.raw, header.lines)
    version = reader.whole("format", FORMAT_VERSION, 1, FORMAT_VERSION)
    mode = reader.text("governance_mode") or "strict"
    if mode not in GOVERNANCE_MODES:
        raise reader.error("governance_mode", f"must be one of {', '.join(GOVERNANCE_MODES)}")
    return Settings(
        format_version=version,
        profile=reader.text("profile"),
        project=reader.text("project"),
        governance_mode=mode,
        retention_hours=reader.whole("retention_hours", 24, 0, MAX_RETENTION_HOURS),
        anchor_root=reader.text("anchor_root"),
        keymap=reader.words("keymap"),
        theme=reader.text("theme"),
    )


class _Reader:
    def __init__(
        self, fields: Mapping[str, object], raw: Mapping[str, str], lines: Mapping[str, int]
    ) -> None:
        self._fields = fields
        self._raw = raw
        self._lines = lines

    def error(self, key: str, message: str) -> SettingsError:
        line = self._lines.get(key)
        return SettingsError(f"{key} {message}", None if line is None else line - 1)

    def text(self, key: str) -> str:
        value = self._fields.get(key)
        if value is None:
            return ""
        if isinstance(value, (list, dict)):
            raise self.error(key, "must be text")
        return value if isinstance(value, str) else self._raw.get(key, str(value))

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        value = self._fields.get(key)
        if value is None:
            return default
        if type(value) is not int or not least <= value <= most:
            raise self.error(key, f"must be a whole number from {least} to {most}")
        return value

    def words(self, key: str) -> Mapping[str, str]:
        value = self._fields.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            raise self.error(key, "must be a map from actions to keys in quotes")
        return dict(value)
