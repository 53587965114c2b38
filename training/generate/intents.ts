import * as carried from './tasks/carried.ts'
import { CHANGES } from './tasks/command-change-wordings.ts'
import * as commands from './tasks/command-wordings.ts'
import * as fileChanges from './tasks/file-change-wordings.ts'
import * as files from './tasks/file-wordings.ts'
import * as notebook from './tasks/notebook.ts'
import * as recall from './tasks/recall.ts'
import * as references from './tasks/reference-wordings.ts'
import * as sessions from './tasks/sessions.ts'
import * as skills from './tasks/skill-wordings.ts'
import { TALK } from './tasks/small-talk.ts'
import * as unknown from './tasks/unknown.ts'
import type { Wordings } from './wording.ts'

const modules = {
  carried,
  commands,
  fileChanges,
  files,
  notebook,
  recall,
  references,
  sessions,
  skills,
  unknown,
}

/** The wordings of every intent, by its name. */
export const intents: Readonly<Record<string, Wordings>> = Object.fromEntries([
  ...Object.entries(modules).flatMap(([room, module]) =>
    Object.entries(module).flatMap(([name, value]) =>
      isWordings(value) ? [[`${room}.${name}`, value]] : [],
    ),
  ),
  ...commands.SPOKEN.map(({ command, say }) => [`commands.${command}`, say]),
  ...CHANGES.map(({ id, say }) => [`commands.${id}`, say]),
  ...TALK.map(({ id, say }) => [`talk.${id}`, say]),
  ...Object.entries(skills.wishes).map(([name, say]) => [`wish.${name}`, say]),
])

function isWordings(value: unknown): value is Wordings {
  return typeof value === 'object' && value !== null && 'train' in value && 'test' in value
}
