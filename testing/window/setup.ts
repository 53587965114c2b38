import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

/** Before the browser tests, start the process that keeps their hosts; stop it afterwards. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const child = fork(fileURLToPath(new URL('./serve-hosts.ts', import.meta.url)), { stdio: 'inherit' })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  project.provide('hostKeeperPort', port)
  return () => child.disconnect()
}
