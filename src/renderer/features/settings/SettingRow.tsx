import { useId, useRef, type ReactNode } from 'react'
import type { Setting } from '../../../shared/contract/settings.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { Highlight } from '../../ui/InlineText.tsx'
import { cx } from '../../ui/style.ts'
import { takesLabel } from './fields/field-props.ts'
import { SettingField } from './fields/SettingField.tsx'
import { isResettable } from './sections.ts'
import { useSettingActions } from './use-setting-actions.ts'
import { valueWords } from './value-words.ts'

/** One setting with its name, help, field and default state. Matches of `query` are highlighted. */
export function SettingRow({ setting, query = '' }: { setting: Setting; query?: string }): ReactNode {
  const id = useId()
  const control = useRef<HTMLDivElement>(null)
  const expert = useHost(host => host.settings.expert)
  const { change, reset } = useSettingActions()
  const { path, title, help, restart, kind, value } = setting
  const Name = takesLabel(setting) ? 'label' : 'p'
  return (
    <div data-setting={path} className={cx('setting', kind.type === 'list' && 'setting-tall')}>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Name className="text-sm font-medium" {...(takesLabel(setting) ? { htmlFor: id } : {})}>
            <Highlight text={title} query={query} />
          </Name>
          {restart && (
            <span className="badge" title="Takes effect after Talaria restarts.">
              After a restart
            </span>
          )}
          {isResettable(setting) && (
            <Changed
              setting={setting}
              onReset={() => {
                // The reset button disappears after a reset, so focus moves to the field.
                control.current?.querySelector<HTMLElement>('button, input, select')?.focus()
                void reset([setting])
              }}
            />
          )}
        </div>
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          <Highlight text={help} query={query} />
        </p>
        {expert && (
          <p dir="ltr" className="mt-0.5 font-mono text-2xs text-ink-3 rtl:text-end">
            {path}
          </p>
        )}
        {path === 'approvals.default' && value === 'full' && (
          <p className="mt-1 text-xs text-danger">
            New chats will not ask you anything. Only calls that could wreck the system are blocked.
          </p>
        )}
      </div>
      <div ref={control} className="setting-control">
        <SettingField
          setting={setting}
          id={id}
          hintId={`${id}-hint`}
          onChange={value => void change(path, value)}
        />
      </div>
    </div>
  )
}

/** Marks a changed setting and offers a reset to the default. */
function Changed({ setting, onReset }: { setting: Setting; onReset: () => void }) {
  const models = useHost(host => host.models)
  const standard = valueWords(setting, setting.standard, models)
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="badge setting-changed" title={`Default: ${standard}`}>
        Changed
      </span>
      <button
        type="button"
        className="link-btn text-xs"
        aria-label={`Reset “${setting.title}” to ${standard}`}
        title={`Reset “${setting.title}” to ${standard}`}
        onClick={onReset}
      >
        Reset
      </button>
    </span>
  )
}
