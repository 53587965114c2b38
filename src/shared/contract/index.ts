import type { Client, Contract, Handlers } from '../rpc.ts'
import { api } from './api.ts'
import { agents } from './agents.ts'
import { app, updates } from './app.ts'
import { attachments } from './attachments.ts'
import { batch } from './batch.ts'
import { branches } from './branches.ts'
import { changedFiles } from './changed-files.ts'
import { compare } from './compare.ts'
import { connect } from './connect.ts'
import { data } from './data.ts'
import { delegation } from './delegation.ts'
import { desktop } from './desktop.ts'
import { finding } from './finding.ts'
import { gateway } from './gateway.ts'
import { learning } from './learning.ts'
import { mcp } from './mcp.ts'
import { memory } from './memory.ts'
import { model } from './model.ts'
import { network, usage } from './network.ts'
import { permissions } from './permissions.ts'
import { processes } from './processes.ts'
import { projects } from './projects.ts'
import { recall, chat, session } from './session.ts'
import { run } from './run.ts'
import { schedules } from './schedules.ts'
import { settings, toolset } from './settings.ts'
import { skillImports } from './skill-imports.ts'
import { skills } from './skills.ts'
import { templates } from './templates.ts'
import { download } from './download.ts'
import { imports } from './import.ts'
import { web } from './web.ts'

/** Everything that a window or a terminal can call on the host. */
export const contract = {
  ...app,
  ...session,
  ...projects,
  ...templates,
  ...chat,
  ...attachments,
  ...branches,
  ...changedFiles,
  ...finding,
  ...compare,
  ...run,
  ...delegation,
  ...model,
  ...memory,
  ...learning,
  ...recall,
  ...skills,
  ...skillImports,
  ...imports,
  ...download,
  ...settings,
  ...toolset,
  ...network,
  ...permissions,
  ...processes,
  ...schedules,
  ...mcp,
  ...updates,
  ...usage,
  ...data,
  ...desktop,
  ...web,
  ...gateway,
  ...api,
  ...agents,
  ...connect,
  ...batch,
} satisfies Contract

type HostContract = typeof contract
export type HostClient = Client<HostContract>
export type HostHandlers = Handlers<HostContract>
