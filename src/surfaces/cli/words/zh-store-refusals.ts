// Refusals of the store, of jobs and of servers, in Chinese; see zh-refusals.
export const zhStoreRefusals: readonly (readonly [form: RegExp, words: string])[] = [
  [
    /^The database cannot be reached; check its address and that it runs\.$/u,
    '连不上数据库；请检查地址，并确认它在运行。',
  ],
  [
    /^The database ends its connections; look into its log, the disk under it may be full\.$/u,
    '数据库一连上就断开；请查看它的日志，磁盘可能已满。',
  ],
  [
    /^The database refused the user or the password; check them in the address of the store\.$/u,
    '数据库拒绝了用户名或密码；请检查存储地址里的这两项。',
  ],
  [
    /^The database has no connection left; try again, raise max_connections or put a pooler before it\.$/u,
    '数据库没有空闲连接了；请再试一次，调大 max_connections，或在前面放一个连接池。',
  ],
  [/^The database takes no connection; is it running\?$/u, '数据库不接受连接；它在运行吗？'],
  [
    /^The database is read-only; name the primary server to change anything\.$/u,
    '数据库是只读的；要改动请指定主服务器。',
  ],
  [
    /^The (?:store|database) is locked by another (?:process|call); try again\.$/u,
    '存储正被占用；请再试一次。',
  ],
  [
    /^A value holds a character that a database cannot keep; remove NUL characters\.$/u,
    '有一个值含有数据库存不了的字符；请去掉 NUL 字符。',
  ],
  [
    /^There is no such database; create it with createdb or name another one\.$/u,
    '没有这个数据库；请用 createdb 创建，或指定另一个。',
  ],
  [
    /^The user may not do this in the database; make it the owner of the database\.$/u,
    '这个用户在数据库里无权这样做；请让它成为数据库的所有者。',
  ],
  [
    /^The disk under the (?:database|store) is full; make room and try again\.$/u,
    '存储所在的磁盘已满；请腾出空间再试。',
  ],
  [/^The database ran out of memory; try again\.$/u, '数据库内存不足；请再试一次。'],
  [/^The database cancelled the query; try again\.$/u, '数据库取消了查询；请再试一次。'],
  [/^The database is starting or stopping; try again\.$/u, '数据库正在启动或停止；请再试一次。'],
  [
    /^No secure connection to the database; check sslmode in its address, and its certificate\.$/u,
    '无法与数据库建立安全连接；请检查地址里的 sslmode 和证书。',
  ],
  [
    /^The connection to the database was lost at the end of a write, which may have been written; look before you repeat it\.$/u,
    '写入将完成时与数据库断开了，可能已经写入；重做之前请先查看。',
  ],
  [
    /^The database needs the extension btree_gin, which is part of PostgreSQL; have an administrator install it: create extension btree_gin\.$/u,
    '数据库需要 PostgreSQL 自带的扩展 btree_gin；请管理员安装：create extension btree_gin。',
  ],
  [
    /^The database is too old; Galley needs PostgreSQL (.+) or later\.$/u,
    '数据库版本太旧；Galley 需要 PostgreSQL $1 或更高版本。',
  ],
  [
    /^The database is not encoded in UTF-8; make one with createdb --encoding=UTF8 --template=template0\.$/u,
    '数据库的编码不是 UTF-8；请用 createdb --encoding=UTF8 --template=template0 创建一个。',
  ],
  [
    /^The database holds the tables of another program; name an empty one\.$/u,
    '数据库里是别的程序的表；请指定一个空的。',
  ],
  [
    /^The file is the database of another program; name another one\.$/u,
    '这个文件是别的程序的数据库；请指定另一个。',
  ],
  [/^The store is closed; open it again\.$/u, '存储已关闭；请重新打开。'],
  [
    /^The store cannot be written; check who may write its file, or name another place\.$/u,
    '存储无法写入；请检查谁可以写这个文件，或换个位置。',
  ],
  [
    /^The store cannot be written or opened; check its file, its folder and the free space\.$/u,
    '存储无法写入或打开；请检查文件、文件夹和剩余空间。',
  ],
  [/^The store was handed a value it cannot keep\.$/u, '存储收到了一个存不了的值。'],
  [
    /^The store ran out of memory; close other programs and try again\.$/u,
    '存储内存不足；请关闭其他程序再试。',
  ],
  [
    /^The store is read-only; make its file and folder writable to change it\.$/u,
    '存储是只读的；要改动请让文件和文件夹可写。',
  ],
  [
    /^The disk failed under the store; check the disk and try again\.$/u,
    '存储所在的磁盘出错；请检查磁盘再试。',
  ],
  [
    /^No SQLite is available; use Node 22\.13 or later, or install the package libsql\.$/u,
    '没有可用的 SQLite；请用 Node 22.13 或更高版本，或安装 libsql 包。',
  ],
  [/^The folder of the store cannot be made; name another place\.$/u, '无法创建存储的文件夹；请换个位置。'],
  [
    /^The file of the store was removed or replaced while it was open; start again to open it anew\.$/u,
    '存储文件在打开期间被删除或替换；请重新启动。',
  ],
  [/^The budget has changed since it was read; read it again\.$/u, '预算在读取之后已改变；请重新读取。'],
  [
    /^The document was changed meanwhile; read it again and repeat the change\.$/u,
    '文档在此期间被改动；请重新读取再改。',
  ],
  [
    /^The project is in the store it is copied to already; name another store, or an empty one\.$/u,
    '目标存储里已有这个项目；请指定另一个，或一个空的。',
  ],
  [
    /^A project holds at most (\S+) constraints; delete one first\.$/u,
    '一个项目最多有 $1 条约束；请先删除一条。',
  ],
  [/^Several jobs begin so; write more of the id\.$/u, '有几个作业这样开头；请多写几位编号。'],
  [
    /^The token that started this job (.+); start the job again with another one\.$/u,
    '启动这个作业的令牌已失效；请用另一个重新启动。',
  ],
  [
    /^The lease of this job ended, and another process has it now\.$/u,
    '这个作业的租约已到期，现由另一个进程处理。',
  ],
  [
    /^The worker that took this job knows no such operation; start one of the version that queued it\.$/u,
    '领取这个作业的工作进程不认识该操作；请启动与排队者同版本的工作进程。',
  ],
  [
    /^The process that ran this job ended (\d+) times before the job did; repeat it once the reason is mended\.$/u,
    '处理这个作业的进程中途结束了 $1 次；排除原因后请再次运行。',
  ],
  [/^To repeat a job needs every grant of whoever started it\.$/u, '再次运行作业需要启动者的全部权限。'],
  [/^A revoked token stays revoked; create another one\.$/u, '已吊销的令牌不能恢复；请另建一个。'],
  [/^Several tokens begin like that; give more of the mark\.$/u, '有几个令牌这样开头；请多写几位。'],
  [
    /^Without tokens the server listens on this machine only; make one with galley token create or name a file with --tokens, or leave --host\.$/u,
    '没有令牌的服务器只监听本机；请用 galley token create 建一个，用 --tokens 指定文件，或去掉 --host。',
  ],
  [
    /^The server cannot listen there; check --host, it must be an address of this machine\.$/u,
    '服务器无法在那里监听；请检查 --host，它必须是本机的地址。',
  ],
  [
    /^The token file cannot be read; check --tokens or GALLEY_TOKENS\.$/u,
    '令牌文件无法读取；请检查 --tokens 或 GALLEY_TOKENS。',
  ],
  [
    /^GALLEY_MCP_TOKEN must have at least 16 visible ASCII characters; unset it to serve without one\.$/u,
    'GALLEY_MCP_TOKEN 至少要有 16 个可见的 ASCII 字符；不需要令牌时请取消设置。',
  ],
  [
    /^Webhooks need to know whose pull requests are reviewed; name them with --webhook-repos owner\/name\.$/u,
    'Webhook 需要知道评审谁的拉取请求；请用 --webhook-repos owner/name 指明。',
  ],
  [
    /^A webhook secret must have at least (\d+) characters; set (\S+) or (\S+) to a longer one\.$/u,
    'Webhook 密钥至少要有 $1 个字符；请把 $2 或 $3 设得更长。',
  ],
  [
    /^Webhooks need a secret, or anybody could have reviews paid for; set GALLEY_WEBHOOK_SECRET, and give the same secret to the host\.$/u,
    'Webhook 需要密钥，否则任何人都能让你为评审付费；请设置 GALLEY_WEBHOOK_SECRET，并把同一密钥交给代码托管平台。',
  ],
];
