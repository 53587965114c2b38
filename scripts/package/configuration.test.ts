import { describe, expect, test } from 'vitest'
import { packageConfiguration } from './configuration.ts'

const configuration = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) =>
  packageConfiguration({ platform, env, workerFiles: ['out/main/search-worker.js'] })

describe('the configuration of packages', () => {
  test('never leaves the sandbox out unasked', () => {
    const { linux, toolsets } = configuration('linux')
    expect([linux.executableArgs, toolsets]).toEqual([[], { appimage: '1.0.3' }])
    expect(JSON.stringify(configuration('linux'))).not.toContain('no-sandbox')
  })

  test('sets the fuses once on every system: on Linux before the launcher takes the name of the binary', () => {
    const sets = (platform: NodeJS.Platform) => {
      const made = configuration(platform)
      return ['electronFuses' in made, 'afterPack' in made]
    }
    expect([sets('linux'), sets('darwin'), sets('win32')]).toEqual([
      [false, true],
      [true, false],
      [true, false],
    ])
  })

  test('makes a deb that recommends what confines commands, and brings an AppArmor profile', () => {
    const { deb, linux } = configuration('linux')
    expect(linux.target).toEqual(['AppImage', 'deb'])
    expect(deb).toEqual({
      recommends: ['bubblewrap', 'socat'],
      appArmorProfile: 'scripts/package/apparmor-profile.tpl',
    })
  })

  test('makes dmg and zip on macOS and one installer on Windows', () => {
    const { mac, win } = configuration('darwin')
    expect([mac.target, mac.hardenedRuntime, mac.notarize, win.target]).toEqual([
      ['dmg', 'zip'],
      true,
      false,
      'nsis',
    ])
  })

  test('has a source of updates only when one is given', () => {
    const given = configuration('linux', { TALARIA_UPDATES_URL: 'https://example.org/talaria' })
    expect(configuration('linux').publish).toBeNull()
    expect(given.publish).toEqual([{ provider: 'generic', url: 'https://example.org/talaria' }])
  })

  test.each(['http://example.org/', 'https://ada:secret@example.org/', 'example.org'])(
    'refuses updates from %s',
    url => {
      expect(() => configuration('linux', { TALARIA_UPDATES_URL: url })).toThrow('https://')
    },
  )

  test('keeps the workers and all packages beside the archive', () => {
    expect(configuration('linux').asarUnpack).toEqual(['out/main/search-worker.js', 'node_modules/**'])
  })

  test('takes its home page from a variable or from the repository of a GitHub action', () => {
    const action = { GITHUB_SERVER_URL: 'https://example.org', GITHUB_REPOSITORY: 'a/b' }
    expect([
      configuration('linux').extraMetadata,
      configuration('linux', action).extraMetadata,
      configuration('linux', { ...action, TALARIA_HOMEPAGE: 'https://example.com/' }).extraMetadata,
    ]).toEqual([undefined, { homepage: 'https://example.org/a/b' }, { homepage: 'https://example.com/' }])
  })
})
