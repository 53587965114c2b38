import { describe } from 'vitest'
import { test } from '../../../testing/cli.ts'

describe('other programs', () => {
  test('are switched on and off, and get a key', async ({ talaria, expect }) => {
    const { home } = await talaria.openHome()
    const run = (...args: string[]) => talaria.run(['api', ...args, '--home', home])
    expect(await run('status')).toMatchObject({ code: 1, stdout: 'Other programs are not answered.\n' })
    const port = String(20_000 + Math.floor(Math.random() * 20_000))
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
    expect((await run('off')).stdout).toBe('Other programs are not answered any more.\n')
    await expect(models(other)).rejects.toThrow()
  })
})
