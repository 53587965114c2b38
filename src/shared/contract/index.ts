import type { Client, Contract, Handlers } from '../rpc.ts'
import { api } from './connections/api.ts'
import { agents } from './connections/agents.ts'
import { app, updates } from './app.ts'
import { attachments } from './chats/attachments.ts'
import { batch } from './runs/batch.ts'
import { branches } from './chats/branches.ts'
import { changedFiles } from './chats/changed-files.ts'
import { compare } from './chats/compare.ts'
import { connect } from './connections/connect.ts'
import { data } from './data.ts'
import { delegation } from './runs/delegation.ts'
import { desktop } from './desktop.ts'
import { finding } from './chats/finding.ts'
import { gateway } from './connections/gateway.ts'
import { help } from './help.ts'
import { learning } from './learned/learning.ts'
import { mcp } from './connections/mcp.ts'
import { memory } from './learned/memory.ts'
import { model } from './models/model.ts'
import { network, usage } from './connections/network.ts'
import { permissions } from './runs/permissions.ts'
import { processes } from './runs/processes.ts'
import { projects } from './chats/projects.ts'
import { recall, chat, session } from './chats/session.ts'
import { run } from './runs/run.ts'
import { schedules } from './runs/schedules.ts'
import { settings, toolset } from './settings.ts'
import { skillImports } from './learned/skill-imports.ts'
import { skills } from './learned/skills.ts'
import { templates } from './chats/templates.ts'
import { download } from './models/download.ts'
import { imports } from './import.ts'
import { web } from './connections/web.ts'

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
  ...help,
} satisfies Contract

type HostContract = typeof contract
export type HostClient = Client<HostContract>
export type HostHandlers = Handlers<HostContract>
