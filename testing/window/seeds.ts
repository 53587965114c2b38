import { write, type Place } from './place.ts'
import type { Seeds } from './protocol.ts'
import { seedChat, seedCompaction } from './seed-chats.ts'
import { seedRequest, seedUsage } from './seed-ledger.ts'
import { seedModelFile, seedTransfers } from './seed-models.ts'
import { seedChatGpt, seedHermes } from './seed-exports.ts'
import { seedProposal, seedReview, seedRule } from './seed-learning.ts'
import { seedEdit, seedEntry, seedProject } from './seed-memory.ts'
import { seedSkill, seedSkillChange, seedSkillLink, seedSkillProject } from './seed-skills.ts'

type Sown = { [K in keyof Seeds]: (at: Place, input: Parameters<Seeds[K]>[0]) => unknown }

/** The seeds by name. They use the product's own code where possible, and write to its tables otherwise. */
export const seeds: Sown = {
  chat: seedChat,
  compaction: seedCompaction,
  seen: ({ store }, { chatId, messageId, at }) => store.turns.see(chatId, messageId, at),
  files: ({ home }, files) => write(home, files),
  workspaceFiles: ({ workspace }, files) => write(workspace, files),
  usage: seedUsage,
  request: seedRequest,
  modelFile: seedModelFile,
  transfers: seedTransfers,
  servedModels: ({ served }, models) => served.listModels(models),
  servedFile: ({ served }, file) => served.putFile(file),
  project: seedProject,
  entry: seedEntry,
  edit: seedEdit,
  review: seedReview,
  proposal: seedProposal,
  rule: seedRule,
  hermes: seedHermes,
  chatGpt: seedChatGpt,
  skill: seedSkill,
  skillChange: seedSkillChange,
  skillProject: seedSkillProject,
  skillLink: seedSkillLink,
  clock: ({ setClock }, time) => setClock(Date.parse(time)),
}
