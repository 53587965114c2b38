import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { launcherFile, placeLauncher } from './launcher.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

type System = {
  /** Files in /proc/sys and /etc, by path. */
  files?: Record<string, string>
  user?: number
  env?: Record<string, string>
}
const restricted = { 'proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' }

/** An installed application on a made-up system. Its program prints how it was started. */
function install({ files = {}, user = 1000, env = {} }: System = {}) {
  const root = mkdtempSync(join(tmpdir(), 'launcher-'))
  folders.push(root)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o755 })
  }
  for (const [path, text] of Object.entries(files)) write(path, text.replaceAll('ROOT', root))
  write('bin/id', `#!/bin/sh\necho ${user}\n`)
  // No dialog opens on the desktop of whoever runs the tests.
  for (const dialog of ['zenity', 'kdialog', 'notify-send']) write(`bin/${dialog}`, `#!/bin/sh\nexit 1\n`)
  write('app/talaria', '#!/bin/sh\nfor each in "$@"; do echo "with $each"; done; echo started\n')
  const executable = join(root, 'app/talaria')
  placeLauncher(executable)
  writeFileSync(executable, readFileSync(launcherFile, 'utf8').replace(/^root=$/m, `root=${root}`))
  return {
    root,
    executable,
    start: (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(executable, args, {
        encoding: 'utf8',
        env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, ...env },
      })
      return { status, lines: stdout.split('\n').filter(line => line !== ''), said: stderr }
    },
  }
}

describe.runIf(process.platform === 'linux')('the launcher', () => {
  test('starts the application with its arguments where sandboxes are allowed', () => {
    expect(install().start('--home', 'a b', 'talaria://chat/1')).toEqual({
      status: 0,
      lines: ['with --home', 'with a b', 'with talaria://chat/1', 'started'],
      said: '',
    })
  })

  test('starts through a link, as /usr/bin/talaria is one', () => {
    const { root, executable } = install()
    const link = join(root, 'bin/talaria')
    symlinkSync(executable, link)
    const env = { PATH: `${root}/bin:/usr/bin:/bin` }
    expect(spawnSync(link, { encoding: 'utf8', env }).stdout).toBe('started\n')
  })

  test.each([
    [restricted, 'kernel.apparmor_restrict_unprivileged_userns=0'],
    [{ 'proc/sys/kernel/unprivileged_userns_clone': '0\n' }, 'kernel.unprivileged_userns_clone=1'],
    [{ 'proc/sys/user/max_user_namespaces': '0\n' }, 'user.max_user_namespaces=15000'],
  ])('does not start without a sandbox, and says what to do: %j', (files, command) => {
    const { status, lines, said } = install({ files }).start()
    expect([status, lines]).toEqual([1, []])
    expect(said).toContain('did not start')
    expect(said).toContain(`sudo sysctl -w ${command}`)
    expect(said).toContain('deb package')
    expect(said).toContain('TALARIA_NO_SANDBOX=1')
  })

  test('starts where the deb package brought the AppArmor profile', () => {
    const profile = 'profile "talaria" "ROOT/app/talaria{,-app}" flags=(unconfined) {\n'
    const files = { ...restricted, 'etc/apparmor.d/talaria': profile }
    expect(install({ files }).start().lines).toEqual(['started'])
  })

  test('does not trust the profile of an application in another folder', () => {
    const profile = 'profile "talaria" "/opt/Talaria/talaria{,-app}" flags=(unconfined) {\n'
    const files = { ...restricted, 'etc/apparmor.d/talaria': profile }
    expect(install({ files }).start().status).toBe(1)
  })

  test.runIf(process.getuid?.() === 0)('starts with a sandbox program that belongs to root', () => {
    const { root, start } = install({ files: { ...restricted, 'app/chrome-sandbox': '' } })
    chmodSync(join(root, 'app/chrome-sandbox'), 0o4755)
    expect(start().lines).toEqual(['started'])
  })

  test('leaves the sandbox out only when asked, by the switch or the variable', () => {
    const asked = ['with --no-sandbox', 'started']
    expect(install({ files: restricted }).start('--no-sandbox').lines).toEqual(asked)
    const env = { TALARIA_NO_SANDBOX: '1' }
    expect(install({ files: restricted, env }).start().lines).toEqual(asked)
  })

  test('explains that root cannot have a sandbox', () => {
    const { status, said } = install({ user: 0 }).start()
    expect([status, said.includes('the user root')]).toEqual([1, true])
  })

  test('ignores the switch that the start script of an AppImage adds', () => {
    const { root, executable, start } = install()
    const image = join(root, 'app')
    const begin = (args: string[], env: Record<string, string> = {}) =>
      spawnSync(executable, args, {
        encoding: 'utf8',
        env: { PATH: `${root}/bin:/usr/bin:/bin`, APPDIR: image, ...env },
      })
    expect(begin(['--no-sandbox', '--home', 'x']).stdout).toBe('with --home\nwith x\nstarted\n')
    expect(begin(['--no-sandbox'], { TALARIA_NO_SANDBOX: '1' }).stdout).toBe('with --no-sandbox\nstarted\n')
    // Another program's AppImage may have started this one.
    expect(start('--no-sandbox').lines).toEqual(['with --no-sandbox', 'started'])
  })
})
