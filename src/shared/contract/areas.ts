import { z } from 'zod'

/** The parts of the host whose changes windows are told of. Most are named like the calls that read them: `memory.view` reads `memory`. */
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

/** Calls that read other areas than the one in their name. Settings stand wherever an answer depends on what is switched on.
 * What is told of the engine by its own event is `engine`. */
const READ_BY: Readonly<Record<string, readonly (Area | 'engine')[]>> = {
  'agents.requests': ['agents'],
  'api.state': ['api', 'settings'],
  // Nobody tells what happens in folders.
  'attachment.folder': [],
  'app.confinement': ['settings'],
  'catalogue.list': ['model', 'engine'],
  'connect.list': ['agents'],
  // It is told as a whole.
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

/** The areas that a call reads; its answer is old when one of them has changed. */
export function areasRead(method: string): readonly string[] {
  return READ_BY[method] ?? [method.slice(0, method.indexOf('.'))]
}
