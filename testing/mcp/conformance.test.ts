import { expect, test } from 'vitest'
import { runScenario, runServerScenario } from '../long/mcp-conformance.ts'
import { bridgeTools } from './bridge-tools.ts'

// The quick ones of what `npm run test:long -- mcp-conformance` runs.
test.concurrent.each([
  ['@modelcontextprotocol/conformance', 'tools_call'],
  ['@modelcontextprotocol/conformance', 'http-custom-headers'],
  ['@modelcontextprotocol/conformance', 'http-invalid-tool-headers'],
  ['conformance-older', 'tools_call'],
])('our client passes the scenario of %s: %s', async (suite, scenario) => {
  const { ok, output } = await runScenario(suite, scenario)
  expect(ok, output).toBe(true)
})

// What suits a server of tools alone, on standard streams: the others want tools, prompts and resources of the suite.
test.concurrent.each(['server-initialize', 'ping', 'tools-list'])(
  'what other programs are offered passes the scenario %s',
  async scenario => {
    await using bridge = await bridgeTools()
    const { ok, output } = await runServerScenario(bridge.url, scenario)
    expect(ok, output).toBe(true)
  },
)

// Of these two scenarios, what is not met is what the server does not have or what the suite can only ask of a server on HTTP.
test.concurrent.each([
  [
    'caching',
    // It offers neither prompts nor resources, and says so in its capabilities; the suite asks for both all the same.
    ['PromptsListCachingHints', 'ResourcesListCachingHints', 'ResourcesTemplatesListCachingHints'],
  ],
  [
    'server-stateless',
    [
      // It speaks both eras: a request without the data of the newer one is of the older one, and no error.
      'RequestMetaInvalid',
      'HttpServerMetaInvalid400',
      // There are no headers on standard streams.
      'HttpServerHeaderMismatch400',
      // These call a tool of the suite.
      'ServerRejectsUndeclaredCapability',
      'MissingCapabilityHttp400',
    ],
  ],
])('what other programs are offered meets %s but for what it cannot', async (scenario, unmet) => {
  await using bridge = await bridgeTools()
  const { output } = await runServerScenario(bridge.url, scenario)
  const failed = [...output.matchAll(/^ {2}- (\w+): /gm)].map(found => found[1])
  expect(Number(/Passed: (\d+)\//.exec(output)?.[1]), output).toBeGreaterThan(3)
  expect([...new Set(failed)], output).toEqual(unmet)
})
