// The first lines of refusals that writers meet most, in Chinese. What is refused is worded once, in English, where it happens; here a
// sentence is known by its form, and what stands in its places is taken over. Any other sentence stays as it came.
import { zhAgentRefusals } from './zh-agent-refusals.js';
import { zhStoreRefusals } from './zh-store-refusals.js';

export const zhRefusals: readonly (readonly [form: RegExp, words: string])[] = [
  [
    /^(\S+): the address is incomplete; write postgres:\/\/user:password@host:5432\/database\.$/u,
    '$1：地址不完整；请写成 postgres://user:password@host:5432/database。',
  ],
  [
    /^(\S+): the address cannot be read; write postgres:\/\/user:password@host:5432\/database, with signs in the password as %40\.$/u,
    '$1：地址无法识别；请写成 postgres://user:password@host:5432/database，密码中的符号写成 %40 的形式。',
  ],
  [
    /^(\S+): must be a file, ":memory:" or a postgres:\/\/ address, not another address; write \.\/ before a file name with a colon\.$/u,
    '$1：必须是文件、":memory:" 或 postgres:// 地址，不能是其他地址；文件名含冒号时请在前面加 ./。',
  ],
  [
    /^No such document in this project; list them to see what there is\.$/u,
    '这个项目里没有这个文档；列出即可看到现有的。',
  ],
  [
    /^No such entity in this project; list them to see what there is\.$/u,
    '这个项目里没有这个卡片；列出即可看到现有的。',
  ],
  [
    /^No such job in this project; list them to see what there is\.$/u,
    '这个项目里没有这个作业；列出即可看到现有的。',
  ],
  [
    /^No such receipt in this project; list them to see what there is\.$/u,
    '这个项目里没有这个凭据；列出即可看到现有的。',
  ],
  [
    /^No such room in this project; list them to see what there is\.$/u,
    '这个项目里没有这个房间；列出即可看到现有的。',
  ],
  [
    /^No such run in this project; list them to see what there is\.$/u,
    '这个项目里没有这个运行记录；列出即可看到现有的。',
  ],
  [
    /^No such skill in this project; list them to see what there is\.$/u,
    '这个项目里没有这个技能；列出即可看到现有的。',
  ],
  [
    /^No such snapshot in this project; list them to see what there is\.$/u,
    '这个项目里没有这个快照；列出即可看到现有的。',
  ],
  [
    /^No such token in this project; list them to see what there is\.$/u,
    '这个项目里没有这个令牌；列出即可看到现有的。',
  ],
  [
    /^No such promise in this project; list them to see what there is\.$/u,
    '这个项目里没有这个承诺；列出即可看到现有的。',
  ],
  [
    /^No such constraint in this project; list them to see what there is\.$/u,
    '这个项目里没有这个规则；列出即可看到现有的。',
  ],
  [
    /^No such memory in this project; list them to see what there is\.$/u,
    '这个项目里没有这个记忆；列出即可看到现有的。',
  ],
  [
    /^No such intended in this project; list them to see what there is\.$/u,
    '这个项目里没有这个标记；列出即可看到现有的。',
  ],
  [
    /^Unknown command '(.+?)'; there is (.+), did you mean (.+)\?$/u,
    '没有命令 “$1”；可用的有 $2；是不是 $3？',
  ],
  [/^Unknown command '(.+?)'; there is (.+?)\.?$/u, '没有命令 “$1”；可用的有 $2。'],
  [/^Unknown command '(.+?)' \(Did you mean (.+?)\?\)$/u, '没有命令 “$1”；是否想写 $2？'],
  [/^Unknown command '(.+?)'$/u, '没有命令 “$1”。'],
  [/^'(.+)' takes no word '(.+)'\.$/u, '“$1” 后面不能有 “$2”。'],
  [
    /^There is no such token in this store; galley token lists them\.$/u,
    '这个存储里没有这个令牌；galley token 可列出。',
  ],
  [/^There is no store at this place; name one with --store\.$/u, '这里没有存储；请用 --store 指定。'],
  [
    /^The store has no such project; galley store lists them\.$/u,
    '存储里没有这个项目；galley store 可列出。',
  ],
  [
    /^Nothing of this change is shown to a model: every file is left out\.$/u,
    '这次改动没有内容给模型看：所有文件都被略去。',
  ],
  [
    /^The store is damaged; restore (?:its file|the database) from a copy or name another one\.$/u,
    '存储已损坏；请用备份恢复，或指定另一个。',
  ],
  [/^The file is not a Galley store; name another one\.$/u, '这个文件不是 Galley 的存储；请指定另一个。'],
  [
    /^Port (\d+) is taken; choose another with --port \(0 for a free one\), or end what listens there\.$/u,
    '端口 $1 已被占用；请用 --port 另选一个（0 为任意空闲端口），或结束占用它的程序。',
  ],
  [
    /^Port (\d+) is not for this user; choose one from 1024 up with --port\.$/u,
    '当前用户不能使用端口 $1；请用 --port 选 1024 以上的端口。',
  ],
  [/^(\S+): names no commit here; did you mean "(.+)"\?$/u, '$1：这里没有这个提交；是不是 “$2”？'],
  [/^(\S+): names no commit here; .+$/u, '$1：这里没有这个提交；请检查写法，或先 git fetch。'],
  [/^(\S+): must be a whole number, (\d+) or more\.$/u, '$1：必须是整数，不小于 $2。'],
  [
    /^(\S+): must be a whole number, (\d+) or more, or plan or none\.$/u,
    '$1：必须是不小于 $2 的整数，或 plan，或 none。',
  ],
  [/^(\S+): must be a whole number\.$/u, '$1：必须是整数。'],
  [/^(\S+): must be a number of dollars above zero\.$/u, '$1：必须是大于零的美元数。'],
  [/^(\S+): must be one of ([^;]+)\.$/u, '$1：必须是其中之一：$2。'],
  [
    /^No page of (\d+) was reviewed: no answer could be read; .+$/u,
    '共 $1 页，都没有得到审查：没有一份回答可以读取；请换一个能按格式回答的模型。',
  ],
  [
    /^No page of (\d+) was reviewed: The endpoint in (\S+) did not begin to answer in time\.$/u,
    '共 $1 页，都没有得到审查：$2 中的地址没有按时开始回答。',
  ],
  [
    /^The folder you are in no longer exists; go to another one\.$/u,
    '你所在的文件夹已不存在；请换到另一个。',
  ],
  [
    /^Standard input did not end in time; close it with < \/dev\/null\.$/u,
    '标准输入没有按时结束；可用 < /dev/null 关闭它。',
  ],
  [/^There is no such agent here; (\S+) can be (.+)\.$/u, '这里没有这个智能体；$1 可以是 $2。'],
  [
    /^There is no such race in this repository; galley race starts one\.$/u,
    '此仓库中没有这次竞赛；galley race 可开始一次。',
  ],
  [
    /^This card was changed by somebody else since it was read; nothing was written\.$/u,
    '这张卡片在读取之后被他人改动过；没有写入任何内容。',
  ],
  [
    /^The store was written by a newer Galley; update Galley to read it\.$/u,
    '存储由更新版本的 Galley 写成；请更新 Galley 再读取。',
  ],
  [
    /^(.+) is gone; its history is still there, and restoring a version brings it back\.$/u,
    '$1 已经不在了；它的历史还在，恢复一个版本即可找回。',
  ],
  [/^(.+) exists already; choose another name\.$/u, '$1 已经存在；请换一个名字。'],
  [/^What this agent did is in the work tree already\.$/u, '这个智能体的改动已经在工作树中。'],
  [
    /^The same lines or files changed here since the race began(?: \((.+)\))?; nothing was touched\. .+$/su,
    '竞赛开始之后，相同的行或文件在这里被改过：$1。什么也没有动；请先把你的改动放到一边再取用。',
  ],
  [
    /^An agent is speaking in this room; try again when it is done\.$/u,
    '房间里有智能体正在发言；等它说完再试。',
  ],
  [
    /^A race needs a work tree; go to a folder of a git repository\.$/u,
    '竞赛需要工作树；请到 git 仓库的文件夹中。',
  ],
  [/^There is no commit yet to start from; commit something first\.$/u, '还没有可以开始的提交；请先提交。'],
  [/^agent: it took no part in this race; (.+) did\.$/u, 'agent：它没有参加这次竞赛；参加的有 $1。'],
  [/^The race is still running; .+$/u, '竞赛还在进行；请等它结束，或先取消。'],
  [/^This agent changed no file, so there is nothing to take\.$/u, '这个智能体没有改动文件，没有可取用的。'],
  [/^What the agent did is no longer kept\.$/u, '这个智能体的改动已不再保留。'],
  [/^The race was cancelled before any agent was done\.$/u, '竞赛已取消，没有智能体完成。'],
  [/^room: it is closed, so nothing more can be said in it\.$/u, 'room：房间已关闭，不能再发言。'],
  [
    /^The room was taken over while this turn was at work; its answer was not kept\. Ask again\.$/u,
    '这一轮进行时房间被接管，回答没有保留；请再问一次。',
  ],
  [
    /^No line of this file is of a session of (\w+): it is empty, damaged, or of another program\.$/u,
    '此文件中没有一行属于 $1 的会话：文件为空、已损坏，或属于别的程序。',
  ],
  [/^The session file cannot be read: .+$/u, '会话文件无法读取：已不存在，或属于别人。'],
  [
    /^session: several sessions begin like that; give more of the id\.$/u,
    'session：有几个会话这样开头；请多写几位。',
  ],
  [
    /^There is no session of Claude Code, Codex or Gemini CLI in this folder; .+$/u,
    '此文件夹中没有 Claude Code、Codex 或 Gemini CLI 的会话；galley agent sessions 可列出现有的。',
  ],
  [
    /^There is no session of (.+) in this folder; galley agent sessions lists what there is\.$/u,
    '此文件夹中没有 $1 的会话；galley agent sessions 可列出现有的。',
  ],
  [
    /^There is no session of .+ of that id; galley agent sessions lists what there is\.$/u,
    '没有这个编号的会话；galley agent sessions 可列出现有的。',
  ],
  [
    /^There is no session of (.+); galley agent sessions lists what there is\.$/u,
    '没有这样的会话（$1）；galley agent sessions 可列出现有的。',
  ],
  [/^No such room in this project; .+$/u, '这里没有这个房间；galley agent room list 可列出现有的。'],
  [/^No such \S+ in this project; .+$/u, '此项目中没有这一项；请用对应的列表命令查看。'],
  [
    /^The turn (\S+) was cut off, so its changes cannot be told from yours; .+$/u,
    '这一轮（$1）中断了，无法分清它与你的改动；什么也没有动。要撤回此后的全部改动，请加 --all-since。',
  ],
  [/^(.+) is not installed; install it with: (.+)$/u, '没有安装 $1；安装命令：$2'],
  [/^(.+) could not be started; install it with: (.+)$/u, '无法启动 $1；安装命令：$2'],
  [/^(.+) could not be started\.$/u, '无法启动 $1。'],
  [/^(.+) did not begin to answer in time\.$/u, '$1 没有按时开始回答。'],
  [/^(.+) did not finish in time\.$/u, '$1 没有按时完成。'],
  [/^The run of (.+) was cancelled\.$/u, '$1 的运行已取消。'],
  [/^(.+) ended without a result\.$/u, '$1 结束时没有给出结果。'],
  [/^(.+) gave an empty answer\.$/u, '$1 的回答是空的。'],
  [
    /^There is no message; give one with --message, or a conversation on standard input\.$/u,
    '没有消息；请用 --message 给出，或从标准输入给出对话。',
  ],
  [/^Give --print or --run, not both\.$/u, '--print 和 --run 只能用一个。'],
  [
    /^There is no terminal to open the agent in; --print shows the turn, --run runs it without one\.$/u,
    '没有可以打开智能体的终端；--print 输出提示，--run 不用终端直接运行。',
  ],
  [/^There is no turn to undo in this folder; .+$/u, '此文件夹中没有可以撤销的一轮。'],
  [
    /^No chapter fits; there are no Markdown or text files here\.$/u,
    '没有这一章；这里没有 Markdown 或文本文件。',
  ],
  [/^No chapter fits; there are (.+)\.$/su, '没有这一章；现有 $1。'],
  [/^Several chapters fit; name one of (.+)\.$/su, '有几章都符合，请说明是哪一章：$1。'],
  [
    /^No skill is called (.+?); did you mean (.+?)\? (galley .+?) lists them\.$/su,
    '没有叫“$1”的技能；是不是“$2”？$3 可列出全部。',
  ],
  [/^No skill is called (.+?)\. (galley .+?) lists them\.$/su, '没有叫“$1”的技能；$2 可列出全部。'],
  [/^Nothing there fits; (galley .+?) lists what there is\.$/u, '没有符合的；$1 可列出现有的。'],
  [/^Several fit; say the number, one of (.+)\.$/u, '有几条都符合，请用编号指明：$1。'],
  [
    /^Nobody and nothing is called that; did you mean (.+)\? (galley .+?) lists the names\.$/su,
    '没有叫这个名字的人或物；是不是 $1？$2 可列出名字。',
  ],
  [
    /^Nobody and nothing is called that\. (galley .+?) lists the names\.$/u,
    '没有叫这个名字的人或物；$1 可列出名字。',
  ],
  [/^There is nothing to undo here\.$/u, '没有可以撤销的改动。'],
  [/^No such draft; (galley .+?) names those of this project\.$/u, '没有这份草稿；$1 可列出现有的草稿。'],
  [/^(\S+) is applied already; undo it first\.$/u, '$1 已经应用；要重来请先撤销。'],
  [
    /^(.+?) was edited in the same place since (\S+) was made: paragraph (\d+), line (\d+) \(piece (.+?)\)\. Nothing was written\.(?: The other pieces can be applied by number\.)?$/su,
    '$1 在 $2 写成之后，同一处被改过：第 $3 段，第 $4 行（第 $5 处改动）。什么也没有写入；其他各处可按编号应用。',
  ],
  [/^(--\w+): these words are not in the chapter\.$/u, '$1：这一章里没有这些字。'],
  [
    /^(--\w+): these words stand there (\d+) times \(paragraph (.+?)\); quote more of them\.$/u,
    '$1：这些字出现了 $2 次（第 $3 段）；请多引用几个字。',
  ],
  [
    /^No model is configured; name one \((.+)\) or set GALLEY_MODEL\.$/u,
    '还没有设定模型；请指明一个（$1），或设置 GALLEY_MODEL。',
  ],
  [/^This (?:constraint|promise) is (?:there|in the ledger) already.*$/su, '已经有这一条了；请改那一条。'],
  [
    /^Another process is changing the files of this folder; try again\.$/u,
    '另一个进程正在改动这个文件夹里的文件；请再试一次。',
  ],
  [/^Unknown option '(.+?)' \(Did you mean (.+?)\?\)$/u, '没有选项 “$1”；是否想写 $2？'],
  [/^Unknown option '(.+?)'$/u, '没有选项 “$1”。'],
  [/^Missing required argument '(.+?)'$/u, '缺少参数 “$1”。'],
  [/^Option '(.+?)' argument missing$/u, '选项 “$1” 缺少它的值。'],
  [
    /^Option '(.+?)' argument '(.*?)' is invalid\. Allowed are (.+?)(?: \(Did you mean (.+?)\?\))?\.?$/su,
    '“$1” 的值 “$2” 不对；可以是 $3。',
  ],
  [
    /^Command-argument value '(.*?)' is invalid for argument '(.+?)'\. Allowed are (.+?)(?: \(Did you mean (.+?)\?\))?\.?$/su,
    '参数 “$2” 的值 “$1” 不对；可以是 $3。',
  ],
  [/^Required option '(.+?)' not specified$/u, '必须给出选项 “$1”。'],
  [
    /^Too many arguments(?: for '(.+?)')?\. Expected (\d+) arguments? but got (\d+)\.?.*$/u,
    '参数太多：应有 $2 个，实际 $3 个。',
  ],
  [
    /^This folder is in no repository; the request must name the one to review, as repo\.$/u,
    '此文件夹不在任何仓库中；请求须以 repo 指明要评审的仓库。',
  ],
  ...zhAgentRefusals,
  ...zhStoreRefusals,
];
