// The order in which steps have their turn with a call:
//
// begin   (others)        a call for the message; what one throws begins nothing
// check   policy         hard limits, standing rules, strangers' texts, mode, grants: the first verdict
//         skill_keys     a command that only reads, but names a key, asks
//         second_look    a model may doubt what would run unasked
//         (others)        each step behind the policy can only make its verdict stricter
// around, from the outside to the inside
//         confinement    asks again: without confinement, for protected files, for what lies aside
//         as_agreed      not what was switched off meanwhile, or is another change than the card showed
//         (others)
//         file_writers   no chat overwrites what another one wrote
//         watch          files that programs obey; what a command changed in the folder
//         skill_keys     gives keys to commands that may write
//         copies         keeps what a file is before it changes
// after   skill_keys     takes keys out of the result
//         (others)
//         marks          whose text the result is
//         cap            cuts it to what the model may get; the whole text stays in a file
//
// offer   (others)        what stands under the answer; the first one counts, and one that throws offers nothing
//
// What a check denies stays denied; the later ones are not asked. A check that throws denies. An around that refuses instead of
// running what is inside leaves the call recorded as not run. One that throws before the tool ran denies; one that throws later, or an
// after, withholds the result, and the call is recorded as run, with what it did. Each throw is logged once.

import type { CallStep } from '../turn-types.ts'

/** The step whose verdict counts as it is. */
export const POLICY = 'policy'

/** `*` is the place of steps that are not named here, in the order in which they were put together. */
const ORDER: Record<Hook, readonly string[]> = {
  begin: ['*'],
  check: [POLICY, 'skill_keys', 'second_look', '*'],
  around: ['confinement', 'as_agreed', '*', 'file_writers', 'watch', 'skill_keys', 'copies'],
  after: ['skill_keys', '*', 'marks', 'cap'],
  offer: ['*'],
}

type Hook = Exclude<keyof CallStep, 'name' | 'word'>
type With<H extends Hook> = CallStep & Required<Pick<CallStep, H>>

/** The steps that have a hook, in its order; `around` from the outside to the inside. */
export function inOrder<H extends Hook>(steps: readonly CallStep[], hook: H): With<H>[] {
  const order = ORDER[hook]
  const placeOf = ({ name }: CallStep) => order.indexOf(order.includes(name) ? name : '*')
  const having = steps.filter((step): step is With<H> => step[hook] !== undefined)
  return having.toSorted((one, other) => placeOf(one) - placeOf(other))
}
