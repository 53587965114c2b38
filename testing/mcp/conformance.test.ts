import { expect, test } from 'vitest'
import { runScenario } from '../long/mcp-conformance.ts'

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
