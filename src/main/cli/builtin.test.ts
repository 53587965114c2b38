import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { RunEvent } from '../../shared/contract/run.ts'
import { test } from '../../../testing/cli.ts'

// Real inference on the bundled model. Checks tools, arguments and files on disk, never the wording.

const callsIn = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => RunEvent.parse(JSON.parse(line)))
    .flatMap(event => (event.type === 'tool_call' ? [event.call] : []))

describe.concurrent('the built-in model', () => {
  test('remembers a fact, knows it in a new chat, and corrects it', async ({ talaria, expect }) => {
    const [home, cwd] = [talaria.folder(), talaria.folder()]
    const ask = (question: string) =>
      talaria.run(['chat', '--json', '-q', question, '--home', home, '--cwd', cwd])
    const profile = () => readFileSync(join(home, 'memories', 'USER.md'), 'utf8')
    const saved = await ask('Remember that my dog is called Rocky')
    expect(callsIn(saved.stdout)).toMatchObject([
      { name: 'memory', arguments: { target: 'user', action: 'add', content: "User's dog is called Rocky" } },
    ])
    expect(profile()).toBe("User's dog is called Rocky\n")
    await talaria.open(home)
    const told = await talaria.run(['chat', '-q', 'What is my dog called?', '--home', home, '--cwd', cwd])
    expect(told.stdout).toContain('Rocky')
    const corrected = await ask('Correction: my dog is called Luna')
    expect(callsIn(corrected.stdout)).toMatchObject([{ name: 'memory', arguments: { action: 'replace' } }])
    expect(profile()).toBe("User's dog is called Luna\n")
  })

  test('writes a file where it is allowed, and nowhere else', async ({ talaria, expect }) => {
    const [home, cwd] = [talaria.folder(), talaria.folder()]
    await talaria.open(home)
    const ask = (approve: string) =>
      talaria.run([
        'chat',
        '--json',
        '-q',
        'Write “buy milk” to shopping.txt',
        '--home',
        home,
        '--cwd',
        cwd,
        '--approve',
        approve,
      ])
    const call = { name: 'write_file', arguments: { path: 'shopping.txt', content: 'buy milk' } }
    expect(callsIn((await ask('none')).stdout)).toMatchObject([call])
    expect(existsSync(join(cwd, 'shopping.txt'))).toBe(false)
    expect(callsIn((await ask('all')).stdout)).toMatchObject([call])
    expect(readFileSync(join(cwd, 'shopping.txt'), 'utf8').trim()).toBe('buy milk')
  })
})
