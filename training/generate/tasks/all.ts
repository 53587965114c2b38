import { carried } from './carried.ts'
import { commands } from './commands.ts'
import { files } from './files.ts'
import { notebook } from './notebook.ts'
import { recall } from './recall.ts'
import { references } from './references.ts'
import { sessions } from './sessions.ts'
import { skills } from './skills.ts'
import { smallTalk } from './small-talk.ts'
import type { Task } from './task.ts'
import { unknown } from './unknown.ts'

/** Everything that can be asked for at any time. */
export const tasks: readonly Task[] = [
  ...notebook,
  ...recall,
  ...sessions,
  ...files,
  ...commands,
  ...skills,
  ...unknown,
  ...smallTalk,
  ...carried,
  ...references,
]

/** What follows from the exchange before; what does not fit is not taken. */
export const followUps: readonly Task[] = [
  ...references.map(task => ({ ...task, weight: task.weight * 5 })),
  ...skills.filter(task => ['skill-add-step', 'skill-change-step', 'skill-follow'].includes(task.id)),
  ...recall,
  ...notebook.filter(task => ['correct', 'forget', 'remember-again'].includes(task.id)),
  ...smallTalk.filter(task => ['thanks', 'bye'].includes(task.id)),
]

/** What needs no tools. */
export const toolless: readonly Task[] = [...recall, ...unknown, ...smallTalk]
