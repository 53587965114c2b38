import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aHome } from '../../../../testing/host/a-host.ts'
import { LocalMcpServer } from '../../../shared/contract/connections/mcp.ts'
import { findVersion } from './exact-version.ts'
import { namedPackage } from './named-package.ts'
import { warningsOf } from './known-servers.ts'

const running = (line: string, more: object = {}) => {
  const [command, ...args] = line.split(' ')
  return LocalMcpServer.parse({ name: 'tool', command, args, ...more })
}

/** A registry on this computer that answers these paths, and what it was asked. */
async function aRegistry(answers: Record<string, object>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const answer = answers[request.url!]
    response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

/** Put a version of `tool` into the npx cache, as if it had been downloaded for this spec. */
function cached(cache: string, id: string, spec: string, version: string) {
  const folder = join(cache, '_npx', id)
  mkdirSync(join(folder, 'node_modules', 'tool'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ _npx: { packages: [spec] } }))
  writeFileSync(join(folder, 'node_modules', 'tool', 'package.json'), JSON.stringify({ version }))
}

describe('the package that a command downloads', () => {
  test.each([
    ['npx -y tool', 'npx -y tool@1.2.3'],
    ['npx -y @scope/tool@latest --port 3', 'npx -y @scope/tool@1.2.3 --port 3'],
    ['npx --package=tool run -p 3', undefined],
    ['npx --package=tool run', 'npx --package=tool@1.2.3 run'],
    ['npx -y -p tool run', 'npx -y -p tool@1.2.3 run'],
    ['npx tool -p 3', 'npx tool@1.2.3 -p 3'],
    ['npx -p tool -p other run', undefined],
    ['npx --registry http://a.b tool', undefined],
    ['npx -c tool', undefined],
    ['npx github:some/tool', undefined],
    ['npx ./tool', undefined],
    ['npx', undefined],
    ['bunx tool', 'bunx tool@1.2.3'],
    ['uvx tool', 'uvx tool@1.2.3'],
    ['uvx --from tool[all] run', 'uvx --from tool[all]==1.2.3 run'],
    ['uvx --from=tool run', 'uvx --from=tool==1.2.3 run'],
    ['uvx --from tool>=1 run', undefined],
    ['node tool', undefined],
  ])('of %s gets its version: %s', (line, pinned) => {
    const server = running(line)
    const named = namedPackage(server)
    const words = named && server.args.map((arg, at) => (at === named.at ? named.withVersion('1.2.3') : arg))
    expect(words && [server.command, ...words].join(' ')).toBe(pinned)
    // A pinned version is exact, so it causes no version warning.
    if (words) expect(warningsOf({ ...server, args: words })).toEqual([warningsOf(server)[0]])
  })
})

describe('the exact version', () => {
  test('is the one that npx has in its cache for the same words, and nobody is asked', async () => {
    using home = aHome()
    cached(home.path, 'one', 'tool', '1.2.3')
    cached(home.path, 'other', 'tool@next', '2.0.0')
    const fetch = () => Promise.reject(new Error('It was asked.'))
    const sources = { fetch, confinedCache: home.path, env: {}, userHome: home.path }
    expect(await findVersion(running('npx -y tool'), sources)).toMatchObject({
      version: '1.2.3',
      from: 'cache',
      server: { args: ['-y', 'tool@1.2.3'] },
    })
    // Two cached versions for the same spec prove nothing.
    cached(home.path, 'third', 'tool', '1.2.4')
    expect(await findVersion(running('npx -y tool'), sources)).toEqual({
      refused: 'The registry could not be asked: It was asked.',
    })
  })

  test('is the one that the registry names for the tag, where the person or the server says which', async () => {
    using home = aHome()
    await using registry = await aRegistry({
      '/tool/latest': { version: '1.2.3' },
      '/tool/next': { version: '2.0.0-beta.1' },
      '/@scope%2ftool/latest': { version: '0.1.0' },
      '/odd/latest': { version: 'newest' },
    })
    writeFileSync(
      join(home.path, '.npmrc'),
      `@scope:registry=${registry.url}/\nregistry=http://127.0.0.1:1\n`,
    )
    const find = (line: string) =>
      findVersion(running(line, { env: { npm_config_registry: registry.url } }), {
        fetch,
        confinedCache: home.path,
        env: {},
        userHome: home.path,
      })
    expect(await find('npx -y tool')).toMatchObject({ version: '1.2.3', from: 'registry' })
    expect(await find('npx tool@next')).toMatchObject({ server: { args: ['tool@2.0.0-beta.1'] } })
    expect(await find('npx @scope/tool')).toMatchObject({ server: { args: ['@scope/tool@0.1.0'] } })
    expect(await find('npx gone')).toEqual({
      refused: 'The registry does not know gone: it answered 404.',
    })
    expect(await find('npx odd')).toEqual({ refused: 'The registry does not say which version odd has.' })
    expect(registry.asked).toHaveLength(5)
    expect(await find('npx tool@^1.2.0')).toEqual({
      refused: 'Its command names the range ^1.2.0, which several versions match. Enter one by hand.',
    })
    expect(await find('npx tool@1.2.3')).toEqual({ refused: 'Its command already names an exact version.' })
    expect(registry.asked).toHaveLength(5)
  })

  test('of a Python package is not asked for where another index is set', async () => {
    const fetch = () => Promise.resolve(Response.json({ info: { version: '2025.4' } }))
    const sources = { fetch, confinedCache: undefined, userHome: '/nowhere' }
    expect(await findVersion(running('uvx tool'), { ...sources, env: {} })).toMatchObject({
      server: { args: ['tool@2025.4'] },
    })
    const refused = 'It uses its own index of Python packages. Enter the version by hand.'
    const own = { UV_INDEX_URL: 'http://127.0.0.1:1' }
    expect(await findVersion(running('uvx tool'), { ...sources, env: own })).toEqual({ refused })
  })
})
