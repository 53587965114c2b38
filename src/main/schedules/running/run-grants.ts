import { createHash } from 'node:crypto'
import type { PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import type { ScheduleChoices, ScheduleGrant } from '../../../shared/contract/runs/schedules.ts'
import { ruleName } from '../../../shared/words/permission-words.ts'
import type { AllowedRule } from '../../agent/turn-types.ts'
import type { ScheduleRow, StoredGrant } from '../../db/schedule-tables.ts'
import { newId } from '../../lib/ids.ts'

/** Identifies what grants apply to: a changed task, folder or set of skills voids them. */
export const grantKey = ({ task, folder, skills }: ScheduleChoices): string =>
  createHash('sha256')
    .update(JSON.stringify([task, folder, [...skills].toSorted()]))
    .digest('hex')

/** The grants of a schedule that still apply. */
const validGrants = ({ grants, grantedFor, choices }: ScheduleRow): readonly StoredGrant[] =>
  grantedFor === grantKey(choices) ? grants : []

/** Grants in the form that a run takes: texts of grants, and rules for this run only. */
export function grantsForRun(schedule: ScheduleRow): { grants: string[]; rules: PermissionRule[] } {
  const valid = validGrants(schedule)
  return {
    grants: valid.flatMap(each => (each.kind === 'exact' ? [each.grant] : [])),
    rules: valid.flatMap(each =>
      each.kind === 'rule' ? [{ ...each.rule, id: each.id, effect: 'allow', by: 'card', at: 0 }] : [],
    ),
  }
}

/** Collect the permissions granted during a trial run. */
export function collectGrants() {
  const found = new Map<string, StoredGrant>()
  return {
    add(what: { grant: string } | { rules: readonly AllowedRule[] }) {
      const added: StoredGrant[] =
        'grant' in what
          ? [{ id: newId('grant'), kind: 'exact', grant: what.grant }]
          : what.rules.map(rule => ({ id: newId('grant'), kind: 'rule', rule }))
      for (const each of added) found.set(grantText(each), each)
    },
    /** Rules granted so far, which apply to the rest of the trial as well. */
    rules: (): PermissionRule[] =>
      [...found.values()].flatMap(each =>
        each.kind === 'rule' ? [{ ...each.rule, id: each.id, effect: 'allow', by: 'card', at: 0 }] : [],
      ),
    all: () => [...found.values()],
  }
}

/** A grant in words. */
const grantText = (grant: StoredGrant): string =>
  grant.kind === 'exact'
    ? grant.grant
    : `${ruleName(grant.rule)}${grant.rule.network ? ' with network' : ''}${grant.rule.unconfined ? ' without confinement' : ''}`

/** The grants of a schedule, for the user. */
export const shownGrants = (schedule: ScheduleRow): ScheduleGrant[] =>
  validGrants(schedule).map(grant => ({ id: grant.id, text: grantText(grant) }))
