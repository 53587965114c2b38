import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { HostOptions } from '../../src/main/app/host-types.ts'
import type { RightsNeeds } from '../../src/main/gateway/gateway-parts.ts'
import { giveDatabase } from '../db/give-database.ts'
import { aHost, aServer } from '../host/a-host.ts'
import { aPhone, folderKind } from './folder-platform.ts'
import { aContact, letIn, type Known } from './let-in.ts'

// For tests: a host with a messenger in a folder, and people who may write there without pairing.

/** Store people in the database, which places refer to. */
export function knowPeople(home: string, people: Known): void {
  giveDatabase(home)
  const db = new Database(join(home, 'state.db'))
  const put = db.prepare(
    'insert or ignore into gateway_contacts (id, relation, name, created_at) values (?, ?, ?, 0)',
  )
  for (const [id, given] of Object.entries(people)) {
    const { relation, name, ...contact } = aContact(id, given)
    put.run(contact.id, relation, name)
  }
  db.close()
}

type Options = Partial<HostOptions> & {
  coreTools?: true
  people?: Known
  joinMs?: number
  kind?: Parameters<typeof folderKind>[1]
  folder?: string
  /** Nobody is let in: people have to be paired, as in the product. */
  isPaired?: true
}

/** A host with the messenger in `<home>/../messenger` of a test, or another folder; person 7 is its user. */
export async function aGatewayHost(
  home: string,
  {
    people = { 7: {} },
    joinMs = 15,
    kind = {},
    folder = join(home, 'logs', 'messenger'),
    isPaired,
    ...options
  }: Options = {},
) {
  if (!isPaired) knowPeople(home, people)
  const host = await aHost(home, {
    gateway: {
      platforms: [folderKind(folder, kind)],
      ...(!isPaired && { rights: (needs: RightsNeeds) => letIn(people, needs) }),
      joinMs,
      waitMs: 20,
    },
    ...options,
  })
  return { ...host, folder, phone: aPhone(folder, { id: '7', name: 'Ada' }) }
}

/** A host with the messenger switched on and a scripted model. */
export async function aTalkingHost(home: string, options: Options = {}) {
  const host = await aGatewayHost(home, options)
  const server = await aServer(host.client)
  await host.client['model.setDefault']({ id: server.modelId })
  await host.client['gateway.connect']({ platform: 'folder' })
  return { ...host, server }
}
