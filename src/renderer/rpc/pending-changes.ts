/** Records of the host, each shown with the changes that the host has not answered yet. */
export type Unconfirmed<T> = {
  /** What to show for a record that the host has just reported under this id. */
  shownOf: (id: string, reported: T) => T
  /**
   * Add a change to a record. `shown` is the changed record. Call `end` once the host has answered: it forgets
   * the change, and returns what to show if the host refused it.
   */
  begin: (id: string, record: T, change: Partial<T>) => { shown: T; end: () => T }
}

/**
 * Keeps open changes apart from the records that they change. A refused change therefore takes back only itself,
 * and a record that the host reports meanwhile does not hide the changes that are still open.
 */
export function createUnconfirmed<T>(): Unconfirmed<T> {
  const open = new Map<string, { confirmed: T; changes: Partial<T>[] }>()
  const show = ({ confirmed, changes }: { confirmed: T; changes: Partial<T>[] }): T =>
    changes.reduce<T>((record, change) => ({ ...record, ...change }), confirmed)

  return {
    shownOf(id, reported) {
      const known = open.get(id)
      if (!known) return reported
      known.confirmed = reported
      return show(known)
    },

    begin(id, record, change) {
      const known = open.get(id) ?? { confirmed: record, changes: [] }
      open.set(id, known)
      known.changes.push(change)
      return {
        shown: show(known),
        end() {
          known.changes = known.changes.filter(each => each !== change)
          if (known.changes.length === 0) open.delete(id)
          return show(known)
        },
      }
    },
  }
}
