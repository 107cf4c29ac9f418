"""Words of which every match of a taint rule holds one (spec page 4, Taint).

Written by ``python -m tests.taint_words`` from the rules; not by hand. A text without any of a
rule's words needs neither its pattern tried nor even compiled.
"""

from __future__ import annotations

_WORDS = (
    ("developer sistema sys 系统",),
    (
        "admin developer mensagem mensaje system 系统",
        "admin developer mensagemdosistema mensajedelsistema system 系统",
    ),
    ("assistant human user",),
    (
        "assistant end_header_id eot_id im_end im_start inst] start_header_id "
        "start_of_turn> sys>> system user",
    ),
    ("assistant developer instruction system",),
    ("assistant human instruction system",),
    (
        "function= function_call invoke python_tag tool",
        "function= function_call invokename= python_tag tool",
    ),
    ("function name tool",),
    (".aws/credentials .ssh/ /etc/passwd /etc/shadow cat env id_ed25519 id_rsa",),
    ("](http",),
    ("ai assistant human user",),
    ("admin developer system",),
    ('"role"',),
    ("base64 cat env gzip tar type",),
    (
        "```tool_c action",
        "```tool_c action:",
    ),
    ("admin developer system",),
    ("above earlier foregoing former initial original preceding previous prior",),
    (
        "command constraints context direction directive guidance guideline instruction "
        "order polic prompt restriction rule",
        "above before earlier previously sofar",
    ),
    ("instructions message prompt",),
    ("your",),
    ("above before given instructed taught told",),
    ("above foregoing preceding",),
    ("given provided received taught told trained",),
    ("alignment content ethical moral safety",),
    ("constraints directives guidelines instruction prompt restrictions rules safeguards",),
    ("guidelines instructions rules your",),
    ("cancel override replace supersede take void",),
    (
        "directive instruction objective system task",
        "directive instruction objective systemprompt task",
    ),
    (
        "listen obey stop",
        "listento obey stop",
    ),
    ("your",),
    ("asked instructed ordered taught told",),
    ("message prompt",),
    ("consider regard treat",),
    ("developer safety security system",),
    ("directives guidelines instructions restrictions rules safeguards",),
    ("command instruction order rule",),
    ("constraints directives guidelines instruction limits prompt restrictions rules safeguards",),
    (
        "you",
        "youare",
    ),
    (
        "longer",
        "youarenolonger",
    ),
    ("access authority permission power privilege right",),
    ("your",),
    ("authori command instruct order permit",),
    (
        "order",
        "orderof",
    ),
    ("command directive instruction message notice order request",),
    ("act answer behave pretend respond",),
    (
        "comply exactly obey",
        "complywith doexactly obey",
    ),
    ("allow give grant",),
    (
        "you",
        "aredan doanything",
    ),
    ("allowed authori cleared given granted permitted",),
    (
        "anthropic deepmind google meta microsoft openai team",
        "anthropic deepmind google meta microsoft openai thes",
    ),
    (
        "content guardrails mode restrictions safeguards safety",
        "contentfilters guardrails mode restrictions safeguards safetychecks",
    ),
    (
        "need require without",
        "access permission privilege right",
    ),
    (
        "constraints filters guidelines limitations limits restrictions rules",
        "actasif assume imagine pretend suppose",
    ),
    (
        "allow authori command instruct order permit",
        "youto",
    ),
    ("have",),
    ("tool",),
    ("tool",),
    (
        "approved exempt safe trusted trustworthy vetted",
        "exemptfrom preapproved safeto trusted trustworthy vetted",
    ),
    ("need require",),
    ("accept apply approve confirm consider keep mark ratify regard treat",),
    (
        "dispense forgo omit skip waive",
        "dispensewith forgo omit skip waive",
    ),
    (
        "capture claim content document entry fact information instruction item memories "
        "memory message note paragraph passage proposal record statement text",
    ),
    (
        "trust",
        "trustth",
    ),
    ("check doubt flag question review verify",),
    (
        "append attach copy deliver dump exfiltrate forward leak mail paste post publish "
        "push relay send share stream submit transmit upload",
    ),
    (
        "enter execute issue run type",
        "rm-r",
    ),
    ("code command script",),
    ("necessary needed required",),
    ("accept approve confirm ratify",),
    ("accept consider regard take treat",),
    ("deliver exfiltrate forward leak mail pipe post send submit transmit upload",),
    ("user",),
    ("add append attach embed encode include insert put",),
    (
        "appended containing followed including plus together",
        "appendedwith containing followedby including plus togetherwith",
    ),
    (
        "trust",
        "trustth",
    ),
    ("check confirm doubt question review verify",),
    ("准则 原则 命令 指令 指示 提示 约束 规则 规定 设定 限制",),
    ("内容 对话 的话 要求 说明",),
    ("作废 失效 无效",),
    ("上述 上面 之前 以上 以前 前面",),
    ("作废 取消 失效 废除 撤销 清除 解除 重置",),
    ("忘掉 忘记 抛开 放弃",),
    ("别人 开发者 我的 用户",),
    ("上面 之前 以上 先前 前面 原来",),
    ("dan 上帝模式 不受限 开发者模式 无限制 管理员模式 调试模式 越狱",),
    ("你不",),
    ("权力 权限 特权",),
    ("是你",),
    ("允许 命令 批准 指示 授权 要求",),
    ("听从 服从",),
    (
        "dan 可以做任何事",
        "可以做任何事 是dan",
    ),
    ("允许 批准 授权",),
    ("执行 运行",),
    (
        "approve delete drop exec forget grant kill merge publish purge push remove run "
        "send transfer upload wipe write",
    ),
    (
        "执行 运行",
        "chmod curl mkfs rm- sudo wget",
    ),
    ("信息 内容 指令 提案 文字 文本 条目 段落 消息 笔录 笔记 记录 记忆 说明",),
    ("无条件 直接 立即 自动 马上",),
    ("信任 相信",),
    ("将 把",),
    (". :// @",),
    ("复制 打开 找出 找到 提取 收集 获取 读取",),
    (
        "comando diretivas diretrizes instruc limitac norma ordem ordens orientac prompt "
        "regra restric",
    ),
    ("seus suas teus tuas",),
    ("tudo",),
    ("voce",),
    ("voce",),
    ("sou",),
    (
        "assistente voce",
        "oassistente voce",
    ),
    (
        "obedecer",
        "deve precisa temde temque",
    ),
    (
        "ferramenta",
        "aferramenta",
    ),
    (
        "aprovacao aprovad confianca confiavel revisao verificacao",
        "aprovacao confiavel deconfianca preaprovad revisao verificacao",
    ),
    ("aprovad revisad verificad",),
    ("aceite aprove confirme considere marque ratifique",),
    ("confiar",),
    (
        "carregue compartilhe copie encaminhe envia envie exporte manda mande poste "
        "publique remeta suba submeta transmita vaze",
    ),
    ("cima nterior",),
    (
        "suas todas",
        "suas todasas",
    ),
    ("voce",),
    (
        "voce",
        "quevoce",
    ),
    ("execute roda rode",),
    ("necessari preciso",),
    ("abra codifique colete copie extraia leia obtenha pegue",),
    ("voce",),
    ("voce",),
    (
        "comando directivas directrices indicacion instruccion limitacion norma ordenes "
        "pautas prompt regla restriccion",
    ),
    (
        "comando directivas directrices indicacion instruccion limitacion norma ordenes "
        "pautas prompt regla restriccion",
    ),
    (
        "todo",
        "todolo",
    ),
    (
        "entrado eres estas",
        "eres estas hasentrado",
    ),
    (
        "estas",
        "noestas",
    ),
    ("soy",),
    (
        "asistente autorizo instruyo ordeno permito",
        "alasistente autorizo instruyo ordeno permito",
    ),
    (
        "hacer obedecer",
        "debes hasde tienesque",
    ),
    (
        "herramienta",
        "laherramienta",
    ),
    (
        "aprobacion aprobad confianza fiable revision verificacion",
        "aprobacion deconfianza fiable preaprobad revision verificacion",
    ),
    ("acepta aprueba confirma considera marca ratifica",),
    ("confiar",),
    (
        ".env .ssh /etc/passwd clave contrasena conversacion credenciales datos historial "
        "id_ed25519 id_rsa lista prompt secreto todas token variables",
        ".env .ssh /etc/passwd clave contrasena conversacion credenciales datos historial "
        "id_ed25519 id_rsa listadeclientes promptdelsistema secreto todaslasmemorias "
        "token variablesdeentorno",
    ),
    (
        "anterior arriba previo",
        "anterior dearriba previo",
    ),
    (
        "anulad borrad cancelad efecto revocad suspendid",
        "anulad borrad cancelad revocad sinefecto suspendid",
    ),
    (
        "hacer",
        "hacercualquiercosa",
    ),
    ("corre ejecuta ejecute",),
    ("falta necesari preciso",),
    ("envia manda publica sube transmite",),
    ("tienes",),
    ("autorizado facultado instruido",),
)

NEEDED = tuple((tuple(words[0].split()), tuple(words[-1].split())) for words in _WORDS)
"""For each of ``taint_rules.TEXT_RULES``: in running text, and in text of letters alone."""
