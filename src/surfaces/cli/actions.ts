// What each command of the table does, loaded when it runs, so that help and the other commands start without it.
import type { Command } from 'commander';
import type { CommandPath } from './commands/commands.js';

type Action = Parameters<Command['action']>[0];

const agent = () => import('./agent/agent-command.js');
const agentRun = () => import('./agent/agent-run-command.js');
const agentSessions = () => import('./agent/inspect-command.js');
const pr = () => import('./pr/pr-manage.js');
const operations = () => import('./operations/operation-commands.js');
const init = () => import('./write/init.js');
const status = () => import('./write/status.js');
const constraints = () => import('./write/constraints.js');
const people = () => import('./write/people.js');
const personFacts = () => import('./write/person-facts.js');
const intended = () => import('./write/intended.js');
const promises = () => import('./write/promises.js');
const jobs = () => import('./jobs/jobs-command.js');
const room = () => import('./agent/room-command.js');
const store = () => import('./store/store-command.js');
const memory = () => import('./write/memory.js');
const skills = () => import('./write/skills.js');
const drafts = () => import('./write/drafts.js');
const history = () => import('./write/history.js');
const token = () => import('./serve/token-command.js');
const assemble = () => import('./write/assemble.js');

export const actions: Readonly<Record<CommandPath, Action>> = {
  review: async (range, flags) => (await import('./review/start-review.js')).startReview(range, flags),
  report: async (answers, flags) =>
    (await import('./review/report-command.js')).reportCommand(answers, flags),
  pr: async (flags) => (await pr()).prStatus(undefined, flags),
  'pr review': async (pull, flags) => (await import('./pr/pr-review.js')).prReview(pull, flags),
  'pr post': async (report, pull, flags) => (await pr()).prPost(report, pull, flags),
  'pr status': async (pull, flags) => (await pr()).prStatus(pull, flags),
  'pr resolve': async (findings, flags) => (await pr()).prResolve(findings, flags),
  'pr exempt': async (findings, flags) => (await pr()).prExempt(findings, flags),
  'pr retract': async (pull, flags) => (await pr()).prRetract(pull, flags),
  'pr answer': async (pull, flags) => (await import('./pr/pr-answer.js')).prAnswer(pull, flags),
  'pr describe': async (pull, flags) => (await import('./pr/pr-answer.js')).prDescribe(pull, flags),
  'pr replay': async (flags) => (await import('./pr/pr-replay.js')).prReplay(flags),
  'pr stats': async (flags) => (await import('./pr/pr-stats.js')).prStats(flags),
  find: async (task, flags) => (await import('./review/find-command.js')).findCommand(task, flags),
  agent: async (flags) => (await agent()).agentCommand(flags),
  'agent run': async (flags) => (await agentRun()).agentRunCommand(flags),
  'agent undo': async (turn, flags) => (await import('./agent/agent-undo.js')).agentUndoCommand(turn, flags),
  'agent sessions': async (flags) => (await agentSessions()).sessionsCommand(flags),
  'agent inspect': async (session, flags) => (await agentSessions()).inspectCommand(session, flags),
  'agent handoff': async (to, flags) =>
    (await import('./agent/handoff-command.js')).handoffCommand(to, flags),
  race: async (task, flags) => (await import('./agent/race-command.js')).raceCommand(task, flags),
  take: async (agent, flags) => (await import('./agent/race-command.js')).takeCommand(agent, flags),
  watch: async (flags) => (await import('./agent/watch-command.js')).watchCommand(flags),
  'agent room': async (flags) => (await room()).listRooms(flags),
  'agent room new': async (name, flags) => (await room()).newRoom(name, flags),
  'agent room say': async (name, text, flags) => (await room()).sayInRoom(name, text, flags),
  'agent room run': async (name, agent, flags) => (await room()).runInRoom(name, agent, flags),
  'agent room show': async (name, flags) => (await room()).showRoom(name, flags),
  'agent room list': async (flags) => (await room()).listRooms(flags),
  'agent room close': async (name, flags) => (await room()).closeRoom(name, flags),
  'agent room compact': async (name, flags) => (await room()).compactRoom(name, flags),
  'agent room expand': async (name, summary, flags) => (await room()).expandRoom(name, summary, flags),
  write: async (flags) => (await status()).showOverview(flags),
  'write init': async (flags) => (await init()).initProject(flags),
  'write status': async (flags) => (await status()).showStatus(flags),
  'write index': async (flags) => (await init()).indexProject(flags),
  'write constraints': async (flags) => (await constraints()).listConstraints(flags),
  'write constraints add': async (text, flags) => (await constraints()).addConstraint(text, flags),
  'write constraints edit': async (which, text, flags) =>
    (await constraints()).editConstraint(which, text, flags),
  'write constraints remove': async (which, flags) => (await constraints()).removeConstraint(which, flags),
  'write people': async (flags) => (await people()).listPeople(flags),
  'write people add': async (name, about, flags) => (await people()).addPerson(name, about, flags),
  'write people edit': async (name, about, flags) => (await people()).editPerson(name, about, flags),
  'write people show': async (name, flags) => (await personFacts()).showPerson(name, flags),
  'write people fact': async (name, text, flags) => (await personFacts()).changeFact(name, text, flags),
  'write people propose': async (names, flags) =>
    (await import('./write/propose.js')).proposeCards(names, flags),
  'write people remove': async (name, flags) => (await people()).removePerson(name, flags),
  'write memory': async (flags) => (await memory()).listMemory(flags),
  'write memory add': async (text, flags) => (await memory()).addMemory(text, flags),
  'write memory edit': async (which, text, flags) => (await memory()).editMemory(which, text, flags),
  'write memory confirm': async (which, flags) => (await memory()).confirmMemory(which, flags),
  'write memory remove': async (which, flags) => (await memory()).removeMemory(which, flags),
  'write promises': async (flags) => (await promises()).listPromises(flags),
  'write promises add': async (text, flags) => (await promises()).addPromise(text, flags),
  'write promises paid': async (which, flags) => (await promises()).payPromise(which, flags),
  'write promises edit': async (which, text, flags) => (await promises()).editPromise(which, text, flags),
  'write promises remove': async (which, flags) => (await promises()).removePromise(which, flags),
  'write promises propose': async (chapters, flags) =>
    (await import('./write/propose-promises.js')).proposePromises(chapters, flags),
  'write scene': async (words, flags) => (await import('./write/scene.js')).sceneCard(words, flags),
  'write summarise': async (chapters, flags) =>
    (await import('./write/summaries.js')).summarise(chapters, flags),
  'write summaries': async (words, flags) =>
    (await import('./write/summaries.js')).listSummaries(words, flags),
  'write summaries keep': async (words, flags) =>
    (await import('./write/summaries.js')).keepSummary(words, flags),
  'write skills': async (flags) => (await skills()).listSkills(flags),
  'write skills lint': async (path, flags) => (await skills()).takeSkill(path, 'lint', flags),
  'write skills add': async (path, flags) => (await skills()).takeSkill(path, 'put', flags),
  'write skills show': async (skill, chapter, flags) => (await skills()).showSkillRun(skill, chapter, flags),
  'write run': async (skill, chapter, flags) =>
    (await import('./write/run.js')).runSkillCommand(skill, chapter, flags),
  'write drafts': async (flags) => (await drafts()).listDrafts(flags),
  'write draft': async (flags) => (await drafts()).listDrafts(flags),
  'write draft show': async (draft, flags) => (await drafts()).showDraft(draft, flags),
  'write draft apply': async (draft, flags) => (await drafts()).applyDraftCommand(draft, flags),
  'write draft discard': async (draft, flags) => (await drafts()).discardDraftCommand(draft, flags),
  'write undo': async (chapter, flags) => (await drafts()).undoCommand(chapter, flags),
  'write history': async (chapter, flags) => (await history()).showHistory(chapter, flags),
  'write snapshot': async (chapter, flags) => (await history()).snapshotChapter(chapter, flags),
  'write restore': async (chapter, version, flags) =>
    (await history()).restoreChapter(chapter, version, flags),
  'write assemble': async (chapter, flags) => (await assemble()).assembleChapter(chapter, flags),
  'write inspect': async (chapter, flags) => (await assemble()).inspectChapter(chapter, flags),
  'write check': async (chapters, flags) => (await import('./write/check.js')).checkChapters(chapters, flags),
  'write intended': async (flags) => (await intended()).listIntended(flags),
  'write intended add': async (words, flags) => (await intended()).addIntendedWords(words, flags),
  'write intended remove': async (which, flags) => (await intended()).removeIntendedWords(which, flags),
  'write judge': async (file, flags) => (await import('./write/judge.js')).judgeFile(file, flags),
  'write open': async (flags) =>
    (await import('./serve/open-command.js')).openCommand(undefined, flags, 'write'),
  'write import': async (path, flags) => (await import('./write/import-book.js')).importCommand(path, flags),
  'write export': async (file, flags) => (await import('./write/export-book.js')).exportCommand(file, flags),
  'write search': async (words, flags) =>
    (await import('./write/search-book.js')).searchCommand(words, flags),
  worker: async (flags) => (await import('./jobs/worker-command.js')).workerCommand(flags),
  jobs: async (flags) => (await jobs()).listJobs(flags),
  'jobs list': async (flags) => (await jobs()).listJobs(flags),
  'jobs start': async (operation, flags) => (await jobs()).startJob(operation, flags),
  'jobs show': async (job, flags) => (await jobs()).showJob(job, flags),
  'jobs follow': async (job, flags) => (await jobs()).followJob(job, flags),
  'jobs cancel': async (job, flags) => (await jobs()).cancelJob(job, flags),
  'jobs repeat': async (job, flags) => (await jobs()).repeatJob(job, flags),
  receipts: async (id, flags) =>
    (await import('./operations/receipts-command.js')).receiptsCommand(id, flags),
  call: async (operation, flags) => (await operations()).callCommand(operation, flags),
  open: async (folder, flags) => (await import('./serve/open-command.js')).openCommand(folder, flags),
  serve: async (flags) => (await import('./serve/serve-command.js')).serveCommand(flags),
  token: async (flags) => (await token()).listTokens(flags),
  'token create': async (flags) => (await token()).createToken(flags),
  'token list': async (flags) => (await token()).listTokens(flags),
  'token show': async (which, flags) => (await token()).showToken(which, flags),
  'token change': async (which, flags) => (await token()).changeToken(which, flags),
  'token revoke': async (which, flags) => (await token()).revokeToken(which, flags),
  mcp: async (flags) => (await import('./serve/mcp-command.js')).mcpCommand(flags),
  'mcp install': async (flags) => (await import('./install/mcp-install.js')).mcpInstall(flags),
  schema: async (name, flags) => (await operations()).schemaCommand(name, flags),
  init: async (flags) => (await import('./init/init-command.js')).initCommand(flags),
  doctor: async (flags) => (await import('./doctor/doctor-command.js')).doctorCommand(flags),
  store: async (flags) => (await store()).checkStoreCommand(flags),
  'store check': async (flags) => (await store()).checkStoreCommand(flags),
  'store copy': async (flags) => (await store()).copyStoreCommand(flags),
  'store migrate': async (flags) => (await store()).migrateStoreCommand(flags),
  completion: async (shell, flags, completion: Command) => {
    const { completionText } = await import('./completion/shells.js');
    process.stdout.write(completionText(completion.parent ?? completion, shell, flags));
  },
};
