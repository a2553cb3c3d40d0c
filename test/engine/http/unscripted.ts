// What the scripted engine leaves to the real one: tests of these routes open a service (service-kit.ts). Not answers.
import type { EngineService } from '#engine/wire/service.ts';

const refuse = async (): Promise<never> => {
  throw new Error('not scripted: test this against the real engine');
};

type Unscripted = Omit<
  EngineService,
  | 'createSession'
  | 'listSessions'
  | 'findSessions'
  | 'getSession'
  | 'hasSession'
  | 'messages'
  | 'prompt'
  | 'getRun'
  | 'findRun'
  | 'finished'
  | 'cancel'
  | 'delivered'
  | 'events'
  | 'takesFile'
  | 'health'
  | 'close'
>;

export const unscripted: Unscripted = {
  missions: refuse,
  cancelMission: refuse,
  teamTemplates: refuse,
  spawn: refuse,
  cancelInstance: refuse,
  spawnApprovals: refuse,
  decideSpawn: refuse,
  abilities: refuse,
  activeMemory: refuse,
  messagePage: refuse,
  usageSeries: refuse,
  readWholeMemoryFile: refuse,
  replaceMemoryFile: refuse,
  runPrompt: refuse,
  noteOpened: refuse,
  noteRead: refuse,
  noteSetting: refuse,
  updateSession: refuse,
  deleteSession: refuse,
  forkSession: refuse,
  revertSession: refuse,
  unrevertSession: refuse,
  sessionSnapshots: refuse,
  sessionDiff: refuse,
  summarizeSession: refuse,
  sessionContext: refuse,
  noteFeedback: refuse,
  deleteAnswer: refuse,
  forgetContent: refuse,
  forReader: refuse,
  exportContent: refuse,
  allMessages: refuse,
  todos: refuse,
  setTodos: refuse,
  listRuns: refuse,
  activeRuns: refuse,
  cancelRun: refuse,
  runMessages: refuse,
  runEvents: refuse,
  usage: refuse,
  permissions: refuse,
  replyPermission: refuse,
  permissionRules: refuse,
  removePermissionRule: refuse,
  questions: refuse,
  replyQuestion: refuse,
  toolsReady: refuse,
  keepUpload: refuse,
  transcribe: refuse,
  artifactFile: refuse,
  replayRun: refuse,
  openArtifact: refuse,
  listMemoryFiles: refuse,
  listMemoryArtifacts: refuse,
  readMemoryFile: refuse,
  noteMemoryFile: refuse,
  searchMemory: refuse,
  putMemory: refuse,
  correctMemory: refuse,
  signalMemory: refuse,
  memoryBudgets: refuse,
  memoryJournal: refuse,
  memoryDreams: refuse,
  pinMemory: refuse,
  listMemory: refuse,
  deleteMemory: refuse,
  forgetMemory: refuse,
  memoryPlaces: refuse,
  amend: refuse,
  setRooms: refuse,
  setPlaceNames: refuse,
  namedChats: refuse,
  forgetNote: refuse,
  forgetTurns: refuse,
  showMemory: refuse,
  importMemory: refuse,
  distillMemory: refuse,
  resolveContext: refuse,
  contextTree: refuse,
  generateLayers: refuse,
  promoteMemory: refuse,
  demoteMemory: refuse,
  retractMemory: refuse,
  memoryAudit: refuse,
  preflightMemory: refuse,
  promoteKnowledge: refuse,
  withdrawKnowledge: refuse,
  listKnowledge: refuse,
  providers: refuse,
  learnedModels: refuse,
  forgetLearned: refuse,
  createSchedule: refuse,
  changeSchedule: refuse,
  confirmSchedule: refuse,
  listSchedules: refuse,
  nextTimes: refuse,
  deleteSchedule: refuse,
  personTimes: refuse,
  setPersonTimes: refuse,
  takeFirings: refuse,
  settleFiring: refuse,
  createHook: refuse,
  listHooks: refuse,
  deleteHook: refuse,
  receiveHook: refuse,
  testHook: refuse,
};
