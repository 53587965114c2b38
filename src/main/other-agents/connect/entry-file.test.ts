import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aScriptFolder } from '../../../../testing/other-agents/a-script-folder.ts'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'

const PLACES = [
  { connector: pi, env: {}, entry: 'person/.pi/agent/extensions/talaria.ts' },
  {
    connector: pi,
    env: { PI_CODING_AGENT_DIR: '~/agents/pi' },
    entry: 'person/agents/pi/extensions/talaria.ts',
  },
  { connector: opencode, env: {}, entry: 'person/.config/opencode/plugin/talaria.js' },
  {
    connector: opencode,
    // Its settings may be anywhere, since they are not touched.
    env: { XDG_CONFIG_HOME: '/settings', OPENCODE_CONFIG: '/elsewhere/opencode.jsonc' },
    entry: '/settings/opencode/plugin/talaria.js',
  },
]

describe('one file in a folder of the other program', () => {
  test.for(PLACES)('$connector.title reads it as $entry', async ({ connector, env, entry }) => {
    using connection = aScriptFolder(connector, { env })
    const { given, places, read, top } = connection
    const edits = await connector.edits(places, given, read)
    expect(edits.map(edit => edit.path)).toEqual([join(entry.startsWith('/') ? '' : top, entry)])
    expect(edits[0]).toMatchObject({
      before: undefined,
      after: expect.stringMatching(/^\/\/ Talaria put this file here/),
    })
    // A space in a path is escaped as in an address.
    expect(edits[0]!.after).toContain('connect%20')
    expect(edits[0]!.after).toContain(`talaria connect ${connector.program} --remove`)
    expect(connector.commands(given, 'connect')).toEqual([])
  })

  test.for([pi, opencode])('$title: put in and taken out again, it leaves nothing', async connector => {
    using connection = aScriptFolder(connector)
    const { given, places, read, apply } = connection
    expect(await connector.undo(places, given, read)).toEqual([])
    const edits = await connector.edits(places, given, read)
    apply(edits)
    expect(await connector.edits(places, given, read)).toEqual([])
    const undone = await connector.undo(places, given, read)
    expect(undone).toEqual([{ path: edits[0]!.path, before: edits[0]!.after, after: undefined }])
    apply(undone)
    expect(existsSync(edits[0]!.path)).toBe(false)
  })

  test.for([pi, opencode])('$title: what the user wrote stays', async connector => {
    using connection = aScriptFolder(connector)
    const { given, places, read, apply } = connection
    const edits = await connector.edits(places, given, read)
    const { path, after } = edits[0]!
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'export const mine = 1\n')
    // A file of the user has this name, so ours gets another one.
    const [beside] = await connector.edits(places, given, read)
    expect(beside).toEqual({ path: path.replace(/(?=\.[jt]s$)/, '-memory'), before: undefined, after })
    apply([beside!])
    expect(await connector.undo(places, given, read)).toEqual([
      { ...beside, before: after, after: undefined },
    ])
    writeFileSync(beside!.path, 'export const mine = 2\n')
    await expect(connector.edits(places, given, read)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('were not made by Talaria'),
    })
    expect(await connector.undo(places, given, read)).toEqual([])
    // Our text followed by lines of the user, saved by a Windows editor.
    const added = 'export const mine = 1\r\n'
    writeFileSync(path, `${after!.replaceAll('\n', '\r\n')}${added}`)
    apply(await connector.undo(places, given, read))
    expect(readFileSync(path, 'utf8')).toBe(added)
    // Our text was changed, so it is the user's now.
    writeFileSync(path, after!.replace('talaria', 'something'))
    expect(await connector.undo(places, given, read)).toEqual([])
  })

  test.for([pi, opencode])('$title: where our folder is gone, the file does nothing', async connector => {
    using connection = aScriptFolder(connector)
    const { given, places, read } = connection
    const [edit] = await connector.edits(places, given, read)
    const entry = edit!.after!.replaceAll('connect%20', 'gone%20')
    const path = join(connection.top, 'entry.mjs')
    writeFileSync(path, entry.replace('(pi: unknown)', 'pi'))
    const loaded = await import(path)
    expect(await (connector === pi ? loaded.default({}) : loaded.Talaria({}))).toEqual(
      connector === pi ? undefined : {},
    )
  })

  test('each folder names its server, and lists its skills', () => {
    for (const connector of [pi, opencode]) {
      using connection = aScriptFolder(connector)
      const files = connector.files(connection.given)
      expect(JSON.parse(files.find(({ name }) => name === 'mcp.json')!.text)).toEqual({
        name: 'talaria',
        ...connection.given.launch,
      })
      expect(files.map(({ name }) => name)).toContain('skills/greeting/SKILL.md')
    }
  })
})

test('the scripts read snapshots and write spools with the same text', () => {
  const blocks = ['pi/talaria.ts', 'opencode/talaria.js'].map(name => {
    const script = readFileSync(resourcePath(`connect/${name}`), 'utf8')
    return /\n\/\/ --- The same in each of Talaria's scripts[^]*\n\/\/ --- End of what is the same\.\n/.exec(
      script,
    )?.[0]
  })
  expect(blocks[0]).toContain('function spoolEvent(')
  expect(blocks[1]).toBe(blocks[0])
})
