import type { ReactNode } from 'react'
import type { MemoryEntry, MemoryRevision } from '../../../shared/contract/memory.ts'
import { WordDiff } from '../../ui/TextDiff.tsx'
import { More } from './More.tsx'
import { useMemoryActions } from './use-memory-actions.ts'
import type { Paged } from '../../rpc/use-asked.ts'
import { When } from '../../ui/InlineText.tsx'
import { actorNames, changeVerbs } from './entry-texts.ts'

type Props = { versions: Paged<MemoryRevision>; present: MemoryEntry | undefined }

/** The versions of an entry, newest first, each with a diff and Restore. */
export function Versions({ versions, present }: Props): ReactNode {
  const { restore } = useMemoryActions()
  const texts = versions.items?.filter(each => ['add', 'edit', 'restore', 'remove'].includes(each.op)) ?? []
  return (
    <section className="grid gap-2">
      <h3 className="text-xs font-medium text-ink-3">Versions</h3>
      {versions.problem !== null && (
        <p role="alert" className="text-sm text-danger">
          {`The versions could not be read: ${versions.problem}`}
        </p>
      )}
      <ol className="grid gap-3">
        {texts.map((each, index) => {
          const isPresent = index === 0 && each.after !== null && each.after === present?.text
          return (
            <li key={each.id} className="grid gap-1.5 border-s-2 border-line ps-3">
              <p className="text-xs text-ink-3">
                {actorNames[each.actor]} {changeVerbs[each.op]} · <When at={each.at} />
                {isPresent && ' · current version'}
              </p>
              <p className="text-sm">
                <WordDiff before={each.before} after={each.after} />
              </p>
              {!isPresent && each.after !== null && each.after !== present?.text && (
                <button
                  type="button"
                  className="btn btn-secondary justify-self-start"
                  onClick={() => void restore(each, 'after')}
                >
                  Restore this version
                </button>
              )}
            </li>
          )
        })}
      </ol>
      <More list={versions} />
    </section>
  )
}
