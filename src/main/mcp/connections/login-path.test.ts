import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { gone } from '../../../../testing/processes.ts'
import { until } from '../../../../testing/until.ts'
import { openLoginPath } from './login-path.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'login-path-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('the PATH of the login shell', () => {
  /** Read the PATH from a shell that always runs this script. */
  function aPath(
    script: string,
    { own = '/own', ...times }: { own?: string; waitMs?: number; mostMs?: number } = {},
  ) {
    const shell = join(folder, 'shell')
    writeFileSync(shell, `#!/bin/sh\n${script}\n`)
    chmodSync(shell, 0o755)
    const path = openLoginPath({ shell, own, ...times })
    onTestFinished(() => path.close())
    return path
  }
  /** Wait for the file that the shell writes, and return its text. */
  async function written(name: string): Promise<string> {
    const path = join(folder, name)
    await until(() => existsSync(path) && readFileSync(path, 'utf8') !== '')
    return readFileSync(path, 'utf8')
  }

  test('is what it prints, before the own one, and read once', async () => {
    const script = `echo x >> ${folder}/reads; echo Welcome; PATH=/nvm/bin:relative:/usr/bin:/bin; export PATH; eval "$2"; echo Bye`
    const { read } = aPath(script, { own: '/usr/bin:/own' })
    expect(await Promise.all([read(), read()])).toEqual(Array(2).fill('/nvm/bin:/usr/bin:/bin:/own'))
    expect(await written('reads')).toBe('x\n')
  })

  test.each([
    ['prints rubbish', 'head -c 300000 /dev/urandom'],
    ['fails', 'exit 3'],
    ['prints nothing between the marks', 'unset PATH; eval "$2"'],
  ])('is the own one where the shell %s', async (_name, script) => {
    expect(await aPath(script).read()).toBe('/own')
  })

  test('is the own one where there is no shell', async () => {
    expect(await openLoginPath({ shell: '/no/such/shell', own: '/own' }).read()).toBe('/own')
    expect(await openLoginPath({ shell: '', own: '/own' }).read()).toBe('/own')
  })

  test('is the own one for those who do not wait for a slow shell, which ends by itself and then counts', async () => {
    const script = `until [ -e ${folder}/go ]; do sleep 0.05; done; PATH=/late:/usr/bin:/bin; eval "$2"; echo x > ${folder}/ended`
    const { read } = aPath(script, { waitMs: 20 })
    expect(await read()).toBe('/own')
    expect(await read()).toBe('/own')
    writeFileSync(join(folder, 'go'), '')
    await until(async () => (await read()) !== '/own')
    expect(await read()).toBe('/late:/usr/bin:/bin:/own')
    expect(await written('ended')).toBe('x\n')
  })

  test('is not waited for longer than three seconds; a shell that hangs is ended with what it started', async () => {
    const path = aPath(`sh -c 'echo $$ > ${folder}/pid; exec sleep 700'`)
    expect(await path.read()).toBe('/own')
    const pid = Number(await written('pid'))
    await path.close()
    await gone(pid)
  })

  test('comes from a shell whose startup files leave a process behind, which is ended', async () => {
    const path = aPath(`sleep 700 & echo $! > ${folder}/pid; PATH=/nvm:/usr/bin:/bin; eval "$2"`)
    expect(await path.read()).toBe('/nvm:/usr/bin:/bin:/own')
    await gone(Number(await written('pid')))
  })

  test('does not leave a hanging shell behind for ever', async () => {
    const path = aPath(`echo $$ > ${folder}/pid; exec sleep 700`, { waitMs: 20, mostMs: 300 })
    expect(await path.read()).toBe('/own')
    await gone(Number(await written('pid')))
  })
})
