import { expect, test } from 'vitest'
import { cleanEnvironment } from '../../confinement/command-environment.ts'
import { serverEnvironment } from './start-program.ts'

test('a server gets what programs need and what Talaria put there, and no other variable of this process', () => {
  const ours = {
    PATH: '/usr/bin',
    LC_TIME: 'de_AT.UTF-8',
    https_proxy: 'http://proxy:3128',
    SystemRoot: 'C:\\Windows',
    TERM: 'xterm',
    BUILD_LABEL: 'a word that is a password somewhere',
    COMPANY_SERVER: 'intranet-7',
    GITHUB_TOKEN: 'x',
  }
  const given = serverEnvironment({ ...cleanEnvironment(ours), XDG_CACHE_HOME: '/caches' }, ours)
  expect(given).toMatchObject({
    PATH: '/usr/bin',
    LC_TIME: 'de_AT.UTF-8',
    https_proxy: 'http://proxy:3128',
    SystemRoot: 'C:\\Windows',
    TERM: 'dumb',
    XDG_CACHE_HOME: '/caches',
    GIT_TERMINAL_PROMPT: '0',
  })
  for (const name of ['BUILD_LABEL', 'COMPANY_SERVER', 'GITHUB_TOKEN']) expect(given).not.toHaveProperty(name)
})
