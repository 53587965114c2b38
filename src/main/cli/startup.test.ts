import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'
import { test, type Talaria } from '../../../testing/terminal/cli.ts'

/** The program files that a command loads, from the coverage report of V8. */
async function loadedBy(talaria: Talaria, args: string[]): Promise<string[]> {
  const folder = join(talaria.folder(), 'loaded')
  await talaria.run(args, { env: { NODE_V8_COVERAGE: folder } })
  const [report] = readdirSync(folder)
  const { result } = JSON.parse(readFileSync(join(folder, report!), 'utf8')) as { result: { url: string }[] }
  return result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
}

const bytesOf = (files: string[]) => files.reduce((sum, file) => sum + statSync(file).size, 0)

describe.concurrent('a command loads', () => {
  test.for(['--version', '--help', 'memory --help', 'doctor model --help', 'nonsense'])(
    'only the command line itself: %s',
    async (words, { talaria, expect }) => {
      const loaded = await loadedBy(talaria, words.split(' '))
      expect(loaded.some(file => file.endsWith('cli.js'))).toBe(true)
      expect(bytesOf(loaded)).toBeLessThan(235_000)
    },
  )

  test('no host if one is already running', async ({ talaria, expect }) => {
    const home = talaria.folder()
    const isHost = (file: string) => /\/host-[^/]*\.js$/.test(file)
    const args = ['status', '--home', home]
    expect((await loadedBy(talaria, args)).filter(isHost)).not.toEqual([])
    const open = talaria.startOnTerminal(['chat', '--home', home])
    await open.shows('›')
    expect(existsSync(join(home, 'state.db'))).toBe(true)
    const loaded = await loadedBy(talaria, args)
    expect(loaded.filter(isHost)).toEqual([])
    expect(loaded.some(file => file.includes('open-client'))).toBe(true)
    open.types('/exit\r')
    expect((await open.ended).code).toBe(0)
  })
})
