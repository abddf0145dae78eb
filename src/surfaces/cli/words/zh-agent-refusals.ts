// What agents, their sessions, rooms and races are refused with, in Chinese; see zh-refusals.ts.
export const zhAgentRefusals: readonly (readonly [form: RegExp, words: string])[] = [
  [/^agentType: say whose session file it is\.$/u, 'agentType：请说明这是谁的会话文件。'],
  [
    /^agentType: sessions are read of claude-code, codex and gemini\.$/u,
    'agentType：只能读取 claude-code、codex 和 gemini 的会话。',
  ],
  [/^path: there is no such file\.$/u, 'path：没有这个文件。'],
  [
    /^Only claude, codex and gemini are known by name; for any other program give --upstream <url> and --variable <name>\.$/u,
    '只认得 claude、codex 和 gemini；其他程序请给出 --upstream <url> 和 --variable <name>。',
  ],
  [/^--variable must be the name of an environment variable\.$/u, '--variable 必须是环境变量的名字。'],
  [/^(\S+) is not set; name the address with --upstream\.$/u, '没有设置 $1；请用 --upstream 指明地址。'],
  [/^(\S+) must be an http or https address\.$/u, '$1 必须是 http 或 https 地址。'],
  [
    /^The address of the model provider of Codex was not found in its settings; name it with --upstream\.$/u,
    '在 Codex 的设置中找不到模型服务商的地址；请用 --upstream 指明。',
  ],
  [/^(\S+) names a file that cannot be written\.$/u, '$1 指定的文件无法写入。'],
  [
    /^The cache folder cannot be written to, and the worktrees of a race stand there; XDG_CACHE_HOME names another\.$/u,
    '缓存文件夹无法写入，而竞赛的工作树放在那里；可用 XDG_CACHE_HOME 指定另一个。',
  ],
  [
    /^(\S+): nothing was said in it yet, and it has no task; say something first\.$/u,
    '$1：房间里还没有人说话，也没有任务；请先说点什么。',
  ],
  [
    /^(\S+): the last message is for nobody who could answer; name one of (.+), or mention one with @\.$/u,
    '$1：最后一条消息不是给任何能回答的人的；请指明一个（$2），或用 @ 提到它。',
  ],
  [/^(\S+): nobody of that name is in the room; there are (.+)\.$/u, '$1：房间里没有叫这个名字的；有 $2。'],
  [/^(\S+): the room has no such message\.$/u, '$1：房间里没有这条消息。'],
  [/^(\S+): there is nothing between first and last to summarise\.$/u, '$1：这一段没有可以写成摘要的内容。'],
  [
    /^(\S+): a summary reaches across this border; take all of it in, or none of it\.$/u,
    '$1：有一份摘要跨过这条界线；请把它整个包括进来，或完全不包括。',
  ],
  [
    /^(\S+): a summary stands for these messages already; take that one back first\.$/u,
    '$1：这些消息已有摘要代替；请先撤回那一份。',
  ],
  [/^(\S+): no such summary stands in this room\.$/u, '$1：房间里没有这份摘要。'],
  [
    /^(\S+): a room needs somebody to answer; give one as max=claude\.$/u,
    '$1：房间里要有能回答的；请写成 max=claude。',
  ],
  [/^(\S+): must be a name and a type, as in max=claude\.$/u, '$1：必须是名字和类型，如 max=claude。'],
  [
    /^(\S+): there is no such type; it can be (.+), or unknown for a model without tools\.$/u,
    '$1：没有这种类型；可以是 $2，没有工具的模型用 unknown。',
  ],
  [
    /^This room was written by another version of Galley; update Galley to open it\.$/u,
    '这个房间由另一版本的 Galley 写成；请更新 Galley 再打开。',
  ],
  [/^(\S+): there is nothing to send; say something\.$/u, '$1：没有可以发送的内容；请说点什么。'],
  [
    /^(\S+): such a run has no tools and no session; .+$/u,
    '$1：这样的运行没有工具也没有会话；请去掉它，或去掉 --may、--resume 和 --keep-session。',
  ],
  [/^(\S+): only claude, codex and gemini take it\.$/u, '$1：只有 claude、codex 和 gemini 接受它。'],
  [/^The agent wrote no summary; ask again\.$/u, '智能体没有写出摘要；请再试一次。'],
  [
    /^(\S+): only Claude Code has its sessions counted; .+$/u,
    '$1：只有 Claude Code 能给出自己的计数；不加它时，在本机计算文件的内容。',
  ],
  [
    /^(\S+): the session took place in another folder; .+$/u,
    '$1：这个会话在另一个文件夹中进行；请到那里再试，Claude Code 在别处找不到它。',
  ],
  [
    /^Claude Code did not say what is in the session; .+$/u,
    'Claude Code 没有说明会话的内容；可能版本太旧，或这里没有这个会话。',
  ],
  [/^Claude Code could not have the session counted by its provider\.$/u, 'Claude Code 无法请其服务商计数。'],
  [
    /^(.+) would not read @(\S+) as a word but as what it names, and change the prompt; write it without the @\.$/u,
    '$1 会把 @$2 当作它所指的文件读入，从而改变提示；请去掉 @。',
  ],
  [
    /^(.+) (\S+) is too old; (\S+) is known to work\. Update it with: (.+)$/u,
    '$1 $2 太旧；已知 $3 可用。更新命令：$4',
  ],
  [
    /^The prompt has (\d+) (\w+); (.+) takes at most (\d+)\. Give it a smaller budget\.$/u,
    '提示有 $1 $2；$3 最多接受 $4。请给它更小的预算。',
  ],
  [/^(.+) wrote more than an answer may hold\.$/u, '$1 写出的内容超过了回答的上限。'],
  [/^(.+) cannot be started with this much text\.$/u, '文字太多，无法启动 $1。'],
  [/^(.+) stopped reading before the prompt was through\.$/u, '$1 没有读完提示就停了。'],
  [/^(.+) ended with exit code (\d+)\.$/u, '$1 以退出码 $2 结束。'],
  [/^(.+) was ended by (\w+)\.$/u, '$1 被信号 $2 终止。'],
  [/^(.+) has no valid login or key(?:; .+)?\.$/u, '$1 没有有效的登录或密钥。'],
  [/^(.+) was told to slow down by its provider; try again later\.$/u, '$1 的服务商要求放慢；请稍后再试。'],
  [/^(.+) declined to answer\.$/u, '$1 拒绝回答。'],
  [
    /^(.+) had its request rejected; the prompt may be too long for the model\.$/u,
    '$1 的请求被拒绝；提示对模型来说可能太长。',
  ],
  [/^(.+) stopped before its answer was whole\.$/u, '$1 没有说完就停了。'],
  [/^(.+) took the prompt for a command of its own\.$/u, '$1 把提示当成了自己的命令。'],
  [/^(.+) has no session of that id in this folder\.$/u, '$1 在此文件夹中没有这个会话。'],
  [/^(.+) could not get an answer from its provider\.$/u, '$1 没有从服务商得到回答。'],
  [
    /^The configured executable of (.+) cannot be run; (\S+) must be its absolute path\.$/u,
    '所设定的 $1 程序无法运行；$2 必须是它的绝对路径。',
  ],
  [
    /^(\S+): nothing is known that keeps (.+) to "(\w+)"; .+$/u,
    '$1：不知道怎样把 $2 限制在“$3”；请在 GALLEY_AGENTS 的文件里写明，或用 --may run。',
  ],
  [/^The last message on standard input has no "content"\.$/u, '标准输入的最后一条消息没有 "content"。'],
  [/^(\S+): must name each agent once$/u, '$1：每个智能体只能写一次。'],
  [
    /^(\S+): must be an agent, or an agent and its model: claude, codex:gpt-5$/u,
    '$1：必须是智能体，或智能体加模型：claude、codex:gpt-5。',
  ],
  [/^There is no such turn in this folder; --list names them\.$/u, '此文件夹中没有这一轮；--list 可列出。'],
  [/^(\S+): maxTokens needs a meter that counts tokens; .+$/u, '$1：maxTokens 需要一个计 token 的计量器。'],
  [/^(\S+): counts (\S+), but (\S+) is in tokens\.$/u, '$1：它计的是 $2，而 $3 以 token 为单位。'],
  [
    /^The budget leaves nothing of the current message; give a larger one\.$/u,
    '预算放不下当前消息的任何内容；请放宽。',
  ],
  [
    /^stopped at its ceiling: \$(\S+) spent of \$(\S+); .+$/u,
    '到达费用上限而停止：已用 $1 美元，上限 $2 美元；已完成的部分保留。',
  ],
  [/^(.+) ended before it had answered\.$/u, '$1 没有回答就结束了。'],
  [/^(\S+) names a file that cannot be read\.$/u, '$1 指定的文件无法读取。'],
  [/^(\S+) names a file that is not JSON\.$/u, '$1 指定的文件不是 JSON。'],
  [/^GALLEY_AGENTS: (.+) is not valid\.$/u, 'GALLEY_AGENTS：$1 无效。'],
  [
    /^Name the program behind --: galley watch -- claude\.$/u,
    '请在 -- 之后写出程序：galley watch -- claude。',
  ],
  [/^--with-text needs --save <file>\.$/u, '--with-text 需要 --save <file>。'],
  [/^There is no task; give it in quotes: galley race "…"\.$/u, '没有任务；请写在引号里：galley race "…"。'],
  [/^Name who takes part: --agents claude,codex\.$/u, '请指明谁参加：--agents claude,codex。'],
  [
    /^Nothing was said in the session (\S+), so there is nothing to hand over; galley agent sessions lists others\.$/u,
    '会话 $1 里没有任何发言，没有可交接的；galley agent sessions 可列出其他会话。',
  ],
  [
    /^The path is not inside a git repository; name a folder of one\.$/u,
    '这里不在 git 仓库中；请到仓库的文件夹里。',
  ],
];
