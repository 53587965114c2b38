import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunEvent } from '../../../shared/contract/runs/run.ts'
import { oneThread, test } from '../../../../testing/terminal/cli.ts'

// Real inference on the bundled model. Checks tools, arguments and files on disk, never the wording.

const callsIn = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => RunEvent.parse(JSON.parse(line)))
    .flatMap(event => (event.type === 'tool_call' ? [event.call] : []))

test('the built-in model remembers, knows it in a new chat, corrects it, and writes only where it may', async ({
  talaria,
  expect,
}) => {
  const [home, cwd] = [talaria.folder(oneThread), talaria.folder()]
  const ask = (question: string, ...more: string[]) =>
    talaria.run(['chat', '-q', question, '--home', home, '--cwd', cwd, ...more])
  const callsOf = async (...args: Parameters<typeof ask>) => callsIn((await ask(...args, '--json')).stdout)
  const profile = () => readFileSync(join(home, 'memories', 'USER.md'), 'utf8')
  expect(await callsOf('Remember that my dog is called Rocky')).toMatchObject([
    { name: 'memory', arguments: { target: 'user', action: 'add', content: "User's dog is called Rocky" } },
  ])
  expect(profile()).toBe("User's dog is called Rocky\n")
  await talaria.open(home)
  expect((await ask('What is my dog called?')).stdout).toContain('Rocky')
  expect(await callsOf('Correction: my dog is called Luna')).toMatchObject([
    { name: 'memory', arguments: { action: 'replace' } },
  ])
  expect(profile()).toBe("User's dog is called Luna\n")

  const write = 'Write “buy milk” to shopping.txt'
  const call = { name: 'write_file', arguments: { path: 'shopping.txt', content: 'buy milk' } }
  expect(await callsOf(write, '--approve', 'none')).toMatchObject([call])
  expect(existsSync(join(cwd, 'shopping.txt'))).toBe(false)
  expect(await callsOf(write, '--approve', 'all')).toMatchObject([call])
  expect(readFileSync(join(cwd, 'shopping.txt'), 'utf8').trim()).toBe('buy milk')
})
