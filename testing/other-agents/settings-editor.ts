import { join } from 'node:path'
import type { Connector } from '../../src/main/other-agents/connect/connector.ts'
import { removeFromJson, setInJson } from '../../src/main/other-agents/connect/edit-json.ts'

/** Where the settings of `settingsEditor` are, in the folder of the user. */
export const SETTINGS_PATH = '.editor/settings.json'

/** For tests: a program whose settings, in the user's folder, name our server. */
export const settingsEditor: Connector = {
  program: 'opencode',
  title: 'An editor',
  find: async () => undefined,
  files: ({ launch, skills }) => [
    { name: 'plugin/server.json', text: JSON.stringify(launch) },
    ...skills.flatMap(skill =>
      skill.files.map(({ name, text }) => ({ name: `plugin/skills/${skill.name}/${name}`, text })),
    ),
  ],
  async edits({ user }, { label, launch }, read) {
    const path = join(user, SETTINGS_PATH)
    const before = await read(path)
    const after = setInJson(before, ['mcp', label], { command: launch.command })
    if (typeof after !== 'string') throw new Error(after.refused)
    return after === before ? [] : [{ path, before, after }]
  },
  async undo({ user }, { label }, read) {
    const path = join(user, SETTINGS_PATH)
    const before = await read(path)
    if (before === undefined) return []
    const after = removeFromJson(before, ['mcp', label])
    return typeof after !== 'string' || after === before ? [] : [{ path, before, after }]
  },
  commands: () => [],
}
