// The order in which steps handle a call:
//
// begin   (others)        a call for the message; a step that throws begins nothing
// check   policy          hard limits, standing rules, strangers' texts, mode, grants: the first verdict
//         skill_keys      asks about a command that only reads but names a key
//         second_look     lets a model doubt a command that would run unasked
//         (others)        can only make the verdict stricter
// around, from the outside to the inside
//         confinement     asks again: to run unconfined, for protected files, for files put aside
//         as_agreed       stops a call that was switched off, or that differs from its card by now
//         (others)
//         file_writers    no chat overwrites what another chat wrote
//         watch           files that programs obey; what a command changed in the folder
//         skill_keys      gives keys to commands that may write
//         copies          keeps a copy of each file before it changes
// after   skill_keys      redacts keys in the result
//         (others)
//         marks           whose text the result is
//         cap             cuts the result to the model's limit; the whole text stays in a file
//
// offer   (others)        an offer below the answer; the first one counts, a step that throws offers nothing
//
// A call denied by a check stays denied, and later checks are not asked. A check that throws denies the call.
// If an `around` refuses instead of running its inner part, the call is recorded as not run. If it throws
// before the tool ran, the call is denied. If it throws later, or if an `after` throws, the result is
// withheld, and the call is recorded as run, with its effects. Each throw is logged once.

import type { CallStep } from '../turn-types.ts'

/** The step whose verdict counts as given. */
export const POLICY = 'policy'

/** The order per hook. `*` stands for steps that are not named here, in order of registration. */
const ORDER: Record<Hook, readonly string[]> = {
  begin: ['*'],
  check: [POLICY, 'skill_keys', 'second_look', '*'],
  around: ['confinement', 'as_agreed', '*', 'file_writers', 'watch', 'skill_keys', 'copies'],
  after: ['skill_keys', '*', 'marks', 'cap'],
  offer: ['*'],
}

type Hook = Exclude<keyof CallStep, 'name' | 'word'>
type With<H extends Hook> = CallStep & Required<Pick<CallStep, H>>

/** The steps that have a hook, in order; `around` from the outside to the inside. */
export function inOrder<H extends Hook>(steps: readonly CallStep[], hook: H): With<H>[] {
  const order = ORDER[hook]
  const placeOf = ({ name }: CallStep) => order.indexOf(order.includes(name) ? name : '*')
  const having = steps.filter((step): step is With<H> => step[hook] !== undefined)
  return having.toSorted((one, other) => placeOf(one) - placeOf(other))
}
