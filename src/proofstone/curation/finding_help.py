"""What each kind of finding means and what to do about it, for programs that show findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FindingHelp:
    """One kind of finding: what it says in a line, and what to know and to do about it."""

    short: str
    text: str


def help_for(code: str) -> FindingHelp:
    """The help for a finding's code; a general one for a code that has none of its own."""
    return FINDINGS.get(code, _OTHER)


_OTHER = FindingHelp(
    "Something in the vault needs a person",
    "The message says what is wrong, where, and what to do about it.",
)
_JOURNAL = (
    "Rows of the journal are never repaired: restore the file from a backup or from version "
    "control. The notes themselves are not changed by this."
)
_UNREADABLE = (
    "What cannot be read is kept as it is and stops nothing else; it is neither rewritten nor "
    "counted as absent. Correct it in an editor."
)
_PURGED = "Purge it again, or remove the file. What was purged is known by a keyed hash alone."

FINDINGS: Mapping[str, FindingHelp] = {
    "unreadable_note": FindingHelp("A note cannot be read", _UNREADABLE),
    "unreadable_folder": FindingHelp(
        "A folder cannot be listed",
        "Nobody can tell what it holds, so nothing is ruled on, rendered or captured until it is "
        "readable again: a memory or a tombstone in it would otherwise count as absent.",
    ),
    "unreadable_key": FindingHelp("A key of a note cannot be read", _UNREADABLE),
    "odd_key": FindingHelp(
        "A key of a note has a value of another kind than expected",
        "The note is otherwise read, and the value is kept as it is. Correct it in an editor.",
    ),
    "unreadable_event": FindingHelp("A captured event cannot be read", _UNREADABLE),
    "legacy_event": FindingHelp(
        "A captured event has memleaf's older marker",
        "It is shown, and never paired into a turn, because the marker does not say whose it is.",
    ),
    "unreadable_gate_answer": FindingHelp("A stored Gate answer cannot be read", _UNREADABLE),
    "unreadable_settings": FindingHelp(
        "The vault's settings cannot be read",
        "Until proofstone.yaml is corrected, the default settings hold.",
    ),
    "unreadable_memleaf_config": FindingHelp(
        "memleaf's configuration cannot be read",
        "Until it is corrected, bodies of tool records stay hidden.",
    ),
    "unreadable_memleaf_state": FindingHelp(
        "memleaf's own record of turns cannot be read",
        "Only what memleaf says of a turn is missing; nothing else depends on it.",
    ),
    "same_id": FindingHelp(
        "Two notes of one room have the same id",
        "The second is not read. Give one of the two another id, or remove the copy.",
    ),
    "broken_link": FindingHelp(
        "A note names another that is not there",
        "Restore the note it names from history or a backup, or edit the link away.",
    ),
    "broken_binding": FindingHelp(
        "A quote no longer stands where its binding says",
        "The captured text was changed or removed. Defer or dismiss the proposal, or restore the "
        "inbox file.",
    ),
    "changed_content": FindingHelp(
        "A note's words are no longer those that were proposed or ratified",
        "Another hand changed them. Read them again, then edit the note here, or restore it.",
    ),
    "changed_evidence": FindingHelp(
        "Captured text is not what a Gate answer was checked against",
        "Put the turn before the Gate again, or restore the inbox file.",
    ),
    "gate_without_turn": FindingHelp(
        "A Gate answer belongs to no captured turn",
        "Restore the inbox file, or move the answer away.",
    ),
    "number_given_again": FindingHelp(
        "A cleaned turn's number was given to another turn",
        "Nothing needs doing: the proposals of both stay as they are.",
    ),
    "tombstoned_in_force": FindingHelp(
        "A tombstoned memory is in force",
        "Tombstone it again, or remove the marker if it was a mistake.",
    ),
    "wrong_standing": FindingHelp(
        "A memory in force has a standing that belongs to history",
        "Move it to history by a ruling, or set its standing to active.",
    ),
    "would_be_rejected": FindingHelp(
        "The verifier would reject a memory that is in force",
        "It would not be accepted if it were proposed today. Tombstone it, or lift what the "
        "verifier names.",
    ),
    "drifted_anchor": FindingHelp(
        "The file that a memory is anchored to has changed",
        "See whether the memory still holds, then confirm or edit it.",
    ),
    "gone_anchor": FindingHelp(
        "The file that a memory is anchored to is gone",
        "See whether the memory still holds, then edit or tombstone it.",
    ),
    "unknown_ruling": FindingHelp(
        "A note says that it was ruled on, and the journal has no such ruling",
        "Anyone who can write files can write that into a note. Rule on it here, or restore the "
        "journal.",
    ),
    "other_author": FindingHelp(
        "A note and the journal name different people for one ruling",
        "One of the two was changed by hand. Restore it from version control or a backup.",
    ),
    "ruled_and_waiting": FindingHelp(
        "One proposal is in two rooms",
        "Two branches moved it differently. Keep the note that people agreed on, and remove the "
        "other.",
    ),
    "ruled_both_ways": FindingHelp(
        "A proposal was turned away and its memory is in force",
        "Two branches ruled differently. Agree on one: restore the note as ratified, or tombstone "
        "the memory.",
    ),
    "ruled_without_memory": FindingHelp(
        "A ratified proposal's memory is nowhere",
        "It is neither in force nor in history. Restore it from version control or a backup.",
    ),
    "journal_torn": FindingHelp("The journal's last row was cut short", _JOURNAL),
    "journal_row_changed": FindingHelp("A row of the journal was changed", _JOURNAL),
    "journal_row_forged": FindingHelp("A row of the journal closes what was not opened", _JOURNAL),
    "journal_chain_broken": FindingHelp(
        "Rows of the journal were dropped, moved or put in", _JOURNAL
    ),
    "journal_unfinished": FindingHelp(
        "A ruling was cut short",
        "Open the vault: an unfinished ruling is finished or rolled back, by rule.",
    ),
    "journal_conflict": FindingHelp(
        "A merge conflict was left in the journal",
        "Merge the two journals with `proofstone merge-journal`, or set it up as git's merge "
        "driver so that it happens by itself.",
    ),
    "journal_rows_missing": FindingHelp(
        "Contents of a ruling that the journal does not have", _JOURNAL
    ),
    "object_damaged": FindingHelp(
        "Contents of a ruling are missing or damaged",
        "The ruling stands, and cannot be undone. Restore the object from a backup.",
    ),
    "changed_by_another_hand": FindingHelp(
        "A file was changed since it was ruled on",
        "Nothing needs doing if the change was meant; that ruling cannot be undone.",
    ),
    "recovered_ruling": FindingHelp(
        "A ruling that had been cut short was put right",
        "Look at what it concerned: it was finished, or rolled back, as the message says.",
    ),
    "unfinished_ruling": FindingHelp(
        "A ruling was cut short and cannot be put right",
        "Nothing is ruled on until it is: restore what the message names from a backup.",
    ),
    "purge_key_missing": FindingHelp(
        "The key of purges is missing",
        "Without it, what was purged is not told when it comes back. Restore it from a backup; it "
        "does not belong in version control.",
    ),
    "purge_key_unreadable": FindingHelp(
        "The key of purges cannot be read",
        "Until it can, what was purged is not told when it comes back.",
    ),
    "purge_key_open": FindingHelp(
        "Others may read the key of purges",
        "Set its mode to 0600: whoever has the key can guess at what was purged.",
    ),
    "purged_words_returned": FindingHelp("Words that were purged are back", _PURGED),
    "purged_note_returned": FindingHelp("A note that was purged holds words again", _PURGED),
    "purged_object_returned": FindingHelp("An object that was purged is back", _PURGED),
}
"""Every code that ``check`` gives, in the order of docs/ci.md."""
