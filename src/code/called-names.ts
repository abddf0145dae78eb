// What a call is about, told by the dotted name that is called. Shared by all languages; tables add their own.
import type { EvidenceRole } from './evidence-role.js';

/** Tried in order on a name without whitespace, such as `logger.info`, `self.db.execute` or `std::thread::spawn`. */
export const calledNames: readonly (readonly [RegExp, EvidenceRole])[] = [
  [
    /(?:^|[.:>])_?(?:console|logger|logging|log|slog|zap|glog|klog|logrus|tracing|winston|pino|timber|nslog|os_log|l)(?:\(\))?(?:\.|::|->)\w+!?$/i,
    'logging',
  ],
  [
    /^(?:print|println|eprintln|eprint|printf|fprintf|puts|pp|p|debug|info|warn|error|trace|log|NSLog|os_log|error_log|var_dump|print_r|dbg|syslog|echo)!?$/,
    'logging',
  ],
  [
    /^(?:fmt\.F?Print\w*|System\.(?:out|err)\.\w+|Console\.Write\w*|Log\.\w+|Debug\.\w+|Trace\.\w+|std::(?:cout|cerr)|warnings\.warn|process\.std(?:out|err)\.write|sys\.std(?:out|err)\.write)$/,
    'logging',
  ],
  [
    /(?:^|[.:>])(?:app|router|routes?|server|api|fastify|mux|engine|blueprint|bp|group|r|e|web|http)(?:\.|->|::)(?:get|post|put|patch|delete|del|head|options|all|any|use|route|register|mount|resource|resources|handle|handlefunc|add_url_rule|add_api_route|include_router|websocket|map(?:get|post|put|delete|patch))$/i,
    'routing',
  ],
  [
    /(?:^|\.)(?:createBrowserRouter|createRouter|HandleFunc|PathPrefix|include_router|re_path|urlpatterns|MapGet|MapPost|MapPut|MapDelete|MapControllerRoute|UseEndpoints|UseRouting)$/,
    'routing',
  ],
  [
    /(?:^|[.:>])(?:db|database|conn|connection|cursor|cur|tx|trx|transaction|session|repo|repository|prisma|knex|sequelize|mongoose|collection|stmt|statement|entitymanager|em|pool|sql|orm|dao|store|dbcontext|_context|redis|supabase)(?:\(\))?(?:\.\w+)*(?:\.|->|::)\w+$/i,
    'data-access',
  ],
  [
    /(?:\.|->|::)(?:query|queryRow|queryContext|queryRowContext|execContext|execute|executemany|executeQuery|executeUpdate|prepareStatement|findOne|findMany|findUnique|findFirst|findById|find_by|insertOne|insertMany|updateOne|updateMany|deleteOne|deleteMany|createQueryBuilder|bulkWrite|bulk_create|fetchall|fetchone|fetch_all|fetch_one|SaveChanges|SaveChangesAsync|rawQuery|select_related|prefetch_related)$/,
    'data-access',
  ],
  [
    /(?:^|[.:>])(?:Promise\.(?:all|allSettled|race|any)|asyncio\.\w+|threading\.\w+|multiprocessing\.\w+|concurrent\.futures\.\w+|sync\.\w+|atomic\.\w+|Atomics\.\w+|thread::\w+|tokio::\w+|rayon::\w+|Task\.(?:Run|WhenAll|WhenAny|Factory\.\w+|Delay|detached)|Thread\.\w+|Executors\.\w+|CompletableFuture\.\w+|Dispatch(?:Queue|Group|Semaphore)\b.*|pthread_\w+|std::(?:async|thread|lock_guard|unique_lock|mutex)|GlobalScope\.\w+|Mutex::new|RwLock::new|Arc::new)$/,
    'concurrency',
  ],
  [
    /(?:\.|->|::)(?:lock|unlock|rlock|runlock|trylock|try_lock|acquire|release|synchronize|submit|join_all|notifyall|notify_one|notify_all|lockinterruptibly)$/i,
    'concurrency',
  ],
  [
    /^(?:setTimeout|setInterval|setImmediate|queueMicrotask|launch|runBlocking|withContext|coroutineScope|spawn|thread|flock|synchronized)$/,
    'concurrency',
  ],
  [
    /(?:^|[.:>])(?:panic|unwrap|expect|unwrap_or_else|recover|errors\.(?:New|Is|As|Join|Wrap)|fmt\.Errorf|abort|reject|onErrorResume|rescue_from|fatalError|preconditionFailure|assertionFailure|todo|unimplemented|unreachable)!?$/,
    'error-handling',
  ],
  [
    /\.(?:catch|finally|catchError|onError|recoverWith|getOrElse|orElseThrow|map_err|ok_or|ok_or_else|or_else|context|with_context)$/,
    'error-handling',
  ],
];

/** Annotations and decorators, told by their text after the opening sign. */
export const annotatedNames: readonly (readonly [RegExp, EvidenceRole])[] = [
  [
    /^(?:\w+\.)*(?:route|get|post|put|patch|delete|websocket|api_view|action|Get|Post|Put|Patch|Delete|All|Controller|RestController|\w*Mapping|Path|GET|POST|PUT|DELETE|HttpGet|HttpPost|HttpPut|HttpDelete|HttpPatch|Route|ApiController)\b/,
    'routing',
  ],
  [
    /^(?:\w+\.)*(?:Entity|Table|Column|Query|Transactional|Repository|Modifying|transaction\.atomic|OneToMany|ManyToOne|ManyToMany|PrimaryGeneratedColumn)\b/,
    'data-access',
  ],
  [
    /^(?:\w+\.)*(?:Async|Synchronized|Scheduled|MainActor|tokio::main|asyncio|GuardedBy|Volatile)\b/,
    'concurrency',
  ],
  [/^(?:\w+\.)*(?:ExceptionHandler|Retryable|Catch|errorhandler|Throws)\b/, 'error-handling'],
];
