import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'
import { somePort } from '../../../../testing/host/an-api.ts'

describe('other programs', () => {
  test('are switched on and off, and get a key', async ({ talaria, expect }) => {
    const { home } = await talaria.openHome()
    const run = (...args: string[]) => talaria.run(['api', ...args, '--home', home])
    expect(await run('status')).toMatchObject({ code: 1, stdout: 'Other programs are not answered.\n' })
    const port = String(somePort())
    await talaria.run(['config', 'set', 'api.port', port, '--home', home])
    const address = `http://127.0.0.1:${port}/v1`
    expect((await run('on')).stdout).toBe(`Programs are answered at ${address}\n`)
    const { stdout: key } = await run('key')
    expect(key).toMatch(/^talaria-[\w-]{32}\n$/)
    expect((await run('key')).stdout).toBe(key)
    const { stdout: other } = await run('key', '--new')
    expect(other).not.toBe(key)
    const models = (given: string) =>
      fetch(`${address}/models`, { headers: { authorization: `Bearer ${given.trim()}` } })
    expect([(await models(key)).status, (await models(other)).status]).toEqual([401, 200])
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ state: 'running', address })
    // The key of its own is no unknown line of the file that it is kept in.
    expect((await talaria.run(['config', 'check', '--home', home])).stdout).not.toContain('nothing reads')
    expect((await run('off')).stdout).toBe('Other programs are no longer answered.\n')
    await expect(models(other)).rejects.toThrow()
  })

  test('are answered by “talaria serve --api” without a window, a setting or a key that was made before', async ({
    talaria,
    expect,
  }) => {
    const { home } = await talaria.servedHome()
    const port = String(somePort())
    await talaria.run(['config', 'set', 'api.port', port, '--home', home])
    const env = join(home, '.env')
    const keys = () => (existsSync(env) ? readFileSync(env, 'utf8') : '')
    expect(keys()).not.toContain('TALARIA_API_KEY')
    const serving = talaria.start(['serve', '--api', '--home', home])
    await serving.shows('http://127.0.0.1:')
    const run = (...args: string[]) => talaria.run(['api', ...args, '--home', home])
    expect(await run('status')).toMatchObject({
      code: 0,
      stdout: `Programs are answered at http://127.0.0.1:${port}/v1\n`,
    })
    const { stdout: key } = await run('key')
    expect(keys()).toContain('TALARIA_API_KEY')
    const ask = (given: string) =>
      fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${given}` },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] }),
      })
    expect((await ask('')).status).toBe(401)
    const answer = await ask(key.trim())
    expect([answer.status, await answer.json()]).toMatchObject([200, { object: 'chat.completion' }])
    // What was asked for on the command line is not switched off by the setting, and ends with the process.
    serving.child.kill('SIGTERM')
    expect((await serving.ended).code).toBe(0)
    await expect(ask(key.trim())).rejects.toThrow()
  })
})
