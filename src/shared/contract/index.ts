import type { Client, Contract, Handlers } from '../rpc.ts'
import { app } from './app.ts'
import { learning } from './learning.ts'
import { memory } from './memory.ts'
import { model } from './model.ts'
import { network } from './network.ts'
import { recall } from './recall.ts'
import { run } from './run.ts'
import { chat, session } from './session.ts'
import { settings } from './settings.ts'
import { skillImports } from './skill-imports.ts'
import { skills } from './skills.ts'
import { transfer } from './transfer.ts'
import { transfers } from './transfers.ts'
import { usage } from './usage.ts'

/** Everything a window or a terminal may ask of the host. */
export const contract = {
  ...app,
  ...session,
  ...chat,
  ...run,
  ...model,
  ...memory,
  ...learning,
  ...recall,
  ...skills,
  ...skillImports,
  ...transfer,
  ...transfers,
  ...settings,
  ...network,
  ...usage,
} satisfies Contract

export type HostContract = typeof contract
export type HostClient = Client<HostContract>
export type HostHandlers = Handlers<HostContract>
