import { z } from 'zod'

/**
 * The parts of the host whose changes are reported to windows. Most are named like their calls: `memory.view`
 * reads `memory`.
 */
export const Area = z.enum([
  'agents',
  'api',
  'attachment',
  'deleted',
  'gateway',
  'learning',
  'mcp',
  'memory',
  'model',
  'network',
  'permissions',
  'process',
  'project',
  'schedule',
  'session',
  'settings',
  'skills',
  'updates',
])
export type Area = z.infer<typeof Area>

/**
 * Calls that read other areas than the one in their name. `settings` is listed if the answer depends on what
 * is switched on. `engine` has its own event.
 */
const READ_BY: Readonly<Record<string, readonly (Area | 'engine')[]>> = {
  'agents.requests': ['agents'],
  'api.state': ['api', 'settings'],
  // Changes in folders are not reported.
  'attachment.folder': [],
  'app.confinement': ['settings'],
  'catalogue.list': ['model', 'engine'],
  'connect.list': ['agents'],
  // The event `transfers` carries the whole list.
  'download.list': [],
  'engine.info': ['engine', 'settings'],
  'gateway.state': ['gateway', 'settings'],
  'learning.activity': ['learning', 'memory', 'skills'],
  'learning.ofChat': ['learning', 'memory', 'skills'],
  'machine.look': ['engine'],
  'mcp.list': ['mcp', 'settings'],
  'model.fit': ['model', 'engine'],
  'permissions.list': ['permissions', 'mcp'],
  'project.list': ['project', 'session'],
  'schedule.chats': ['schedule', 'session', 'deleted'],
  'session.context': ['memory', 'settings', 'project'],
  'session.deleted': ['deleted'],
  'skills.forChat': ['skills', 'settings'],
  'toolset.list': ['settings', 'project'],
  'web.sources': ['settings'],
}

/** The areas that a call reads. Its answer is stale once one of them has changed. */
export function areasRead(method: string): readonly string[] {
  return READ_BY[method] ?? [method.slice(0, method.indexOf('.'))]
}
