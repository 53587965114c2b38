import { useState, type ReactNode } from 'react'
import type { PermissionRule } from '../../../../shared/contract/permissions.ts'
import { ruleSubject } from '../../../../shared/rule-text.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { When } from '../../../ui/InlineText.tsx'
import { cx } from '../../../ui/style.ts'
import { showToast } from '../../../ui/toasts.ts'
import { Part } from '../SectionParts.tsx'
import { RuleForm } from './RuleForm.tsx'
import { TryCommand } from './TryCommand.tsx'

const effectNames = { never: 'Never', ask: 'Always ask', allow: 'Always allow' } as const
const looks = { never: 'text-danger', ask: 'text-warn', allow: 'text-good' } as const
const ORDER = Object.keys(effectNames)
const origins = { card: 'on a card', settings: 'here', terminal: 'in a terminal' } as const

/** The standing rules of the user: list, add, remove, and try what would happen to a command. */
export function RuleList(): ReactNode {
  const { client } = useLink()
  const version = useHost(host => host.permissionsVersion)
  const [isAdding, setAdding] = useState(false)
  const answer = useAsked(signal => attemptCall(client['permissions.list']({}, { signal })), `${version}`)
  const rules = answer?.ok ? answer.value.rules : []
  const problem = answer?.ok ? answer.value.problem : answer?.fault.message
  return (
    <Part
      id="rules"
      title="Your rules"
      hint="They hold in every chat and every mode. “Never” beats “Always ask”, and “Always ask” beats “Always allow”. Only you add rules."
    >
      <div className="grid gap-4">
        <div role="alert" className="notice-stack">
          {typeof problem === 'string' && <Banner level="error">{problem}</Banner>}
        </div>
        {answer?.ok && rules.length === 0 && <p className="text-sm text-ink-2">No rules yet.</p>}
        {rules.length > 0 && (
          <ul aria-label="Your rules" className="setting-list">
            {rules
              .toSorted((a, b) => ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect))
              .map(rule => (
                <RuleRow key={rule.id} rule={rule} />
              ))}
          </ul>
        )}
        {isAdding ? (
          <RuleForm onClose={() => setAdding(false)} />
        ) : (
          <button
            type="button"
            className="btn btn-secondary justify-self-start"
            onClick={() => setAdding(true)}
          >
            Add a rule…
          </button>
        )}
        <TryCommand version={version} />
      </div>
    </Part>
  )
}

function RuleRow({ rule }: { rule: PermissionRule }) {
  const { client } = useLink()
  const { effect, folder, network, unconfined, by, at } = rule
  const subject = showHidden(ruleSubject(rule))
  const putBack = async () => {
    const answer = await attemptCall(client['permissions.restore']({ rule }))
    if (!answer.ok) showToast(`The rule was not restored: ${answer.fault.message}`, { level: 'error' })
  }
  const remove = async () => {
    const answer = await attemptCall(client['permissions.remove']({ id: rule.id }))
    if (!answer.ok) showToast(`The rule was not removed: ${answer.fault.message}`, { level: 'error' })
    else
      showToast('The rule was removed.', {
        action: { label: 'Undo', run: () => void putBack() },
        ms: 10_000,
      })
  }
  return (
    <li className="setting">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className={cx('font-medium', looks[effect])}>{effectNames[effect]}</span>
          <bdi dir="ltr" className="min-w-0 font-mono break-all">
            {subject}
          </bdi>
        </p>
        <p className="text-xs text-ink-3">
          {folder === null ? (
            'Everywhere'
          ) : (
            <>
              In <bdi className="font-mono break-all">{showHidden(folder)}</bdi>
            </>
          )}
          {effect === 'allow' && network && ' · with network'}
          {effect === 'allow' && unconfined && ' · also where nothing confines commands'}
          {` · added ${origins[by]} `}
          <When at={at} />
        </p>
      </div>
      <button
        type="button"
        aria-label={`Remove the rule: ${effectNames[effect]} ${subject}`}
        className="btn btn-quiet"
        onClick={() => void remove()}
      >
        Remove
      </button>
    </li>
  )
}
