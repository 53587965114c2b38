import type { ReactNode } from 'react'
import { useAnswers } from '../../rpc/host-context.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { useSettingList, useSettings } from './use-settings.ts'
import { waitingFor } from './settings-store.ts'
import { formatCount } from '../../ui/text/format-values.ts'

const SUMMARY = {
  error: 'The settings have errors. Invalid entries are ignored.',
  warning: 'Some settings refer to things that are unknown or missing. Everything else works.',
}

/** Problems with the settings: failed load, errors in the file, and changes that need a restart. */
export function SettingsTrouble(): ReactNode {
  const { settings, problem } = useSettingList()
  const { renew } = useAnswers()
  const atStart = useSettings(each => each.atStart)
  const waiting = waitingFor(settings ?? [], atStart).map(({ title }) => title)
  return (
    <>
      <div role="alert">
        {problem !== null && (
          <Banner
            level="error"
            actions={
              <button type="button" className="btn btn-secondary" onClick={() => void renew(['settings'])}>
                Try again
              </button>
            }
          >
            {`The settings could not be read: ${problem}`}
          </Banner>
        )}
      </div>
      <Mistakes severity="error" />
      <Mistakes severity="warning" />
      <output className="block">
        {waiting.length > 0 && (
          <Banner level="info">{`Restart Talaria to apply: ${waiting.join(', ')}.`}</Banner>
        )}
      </output>
    </>
  )
}

/** Errors or warnings in `config.yaml` and `.env`, with line numbers, then the files that have them. */
function Mistakes({ severity }: { severity: 'error' | 'warning' }) {
  const { problems, file } = useSettingList()
  const { renew } = useAnswers()
  const mine = problems.filter(each => each.severity === severity)
  if (mine.length === 0) return null
  return (
    <Banner
      level={severity}
      actions={
        <button type="button" className="btn btn-secondary" onClick={() => void renew(['settings'])}>
          Check again
        </button>
      }
    >
      <p>{SUMMARY[severity]}</p>
      <Scrollable label="What is wrong" className="mt-1 max-h-32 overflow-y-auto">
        <ul aria-label="What is wrong" className="grid gap-0.5 text-xs">
          {mine.map(({ file: path, line, text: words }) => (
            <li key={`${path} ${line} ${words}`} className="break-words">
              {path !== file && <span className="me-1 font-medium">.env </span>}
              {line === null ? words : `Line ${formatCount(line)}: ${words}`}
            </li>
          ))}
        </ul>
      </Scrollable>
      {[...new Set(mine.map(each => each.file))].map(path => (
        <p key={path} dir="ltr" className="mt-1 font-mono text-xs break-all text-ink-2">
          {path}
        </p>
      ))}
    </Banner>
  )
}
