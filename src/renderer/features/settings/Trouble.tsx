import type { ReactNode } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { Banner } from '../../ui/Banner.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { useSettings } from './settings-context.ts'
import { waitingFor } from './settings-store.ts'
import { settingsText } from './strings.ts'

const text = settingsText.problems

/** What stands in the way: no answer, mistakes in the file, and what waits for a restart. */
export function Trouble(): ReactNode {
  const problem = useSettings(settings => settings.problem)
  const load = useSettings(settings => settings.load)
  const waiting = useSettings(useShallow(settings => waitingFor(settings).map(({ title }) => title)))
  return (
    <>
      <div role="alert">
        {problem !== null && (
          <Banner
            level="error"
            actions={
              <button type="button" className="btn btn-secondary" onClick={() => void load()}>
                {settingsText.retry}
              </button>
            }
          >
            {settingsText.loadFailed(problem)}
          </Banner>
        )}
      </div>
      <Mistakes severity="error" />
      <Mistakes severity="warning" />
      <output className="block">
        {waiting.length > 0 && <Banner level="info">{settingsText.waiting(waiting)}</Banner>}
      </output>
    </>
  )
}

/** What is wrong in the file, with the lines where it stands. */
function Mistakes({ severity }: { severity: 'error' | 'warning' }) {
  const problems = useSettings(settings => settings.problems)
  const file = useSettings(settings => settings.file)
  const load = useSettings(settings => settings.load)
  const mine = problems.filter(each => each.severity === severity)
  if (mine.length === 0) return null
  return (
    <Banner
      level={severity}
      actions={
        <button type="button" className="btn btn-secondary" onClick={() => void load()}>
          {text.again}
        </button>
      }
    >
      <p>{text[severity]}</p>
      <Scrollable label={text.list} className="mt-1 max-h-32 overflow-y-auto">
        <ul aria-label={text.list} className="grid gap-0.5 text-xs">
          {mine.map(({ line, text: words }) => (
            <li key={`${line} ${words}`} className="break-words">
              {line !== null && <span className="font-medium">{text.line(line)}: </span>}
              {words}
            </li>
          ))}
        </ul>
      </Scrollable>
      <p dir="ltr" className="mt-1 font-mono text-xs break-all text-ink-2">
        {file}
      </p>
    </Banner>
  )
}
