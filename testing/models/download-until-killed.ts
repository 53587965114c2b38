import { openTransfers } from './open-transfers.ts'

// A host that does nothing but download, to be killed: `home`, `address`.
const [home = '', address = ''] = process.argv.slice(2)
const never = () => {
  throw new Error('nobody asks for this')
}
const transfers = openTransfers({
  home,
  fetchFor: () => fetch,
  locked: () => false,
  check: async () => undefined,
  idOf: path => path,
  known: async () => [],
  fitting: never,
  onChange: () => {},
  now: Date.now,
  report: error => console.error(error),
})
await transfers.download({ address })
process.send?.('begun')
