const two = (number: number) => String(number).padStart(2, '0')

/** A local day in sortable form: 2026-11-21. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** A local day and time: 2026-11-21 09:05. */
export function momentOf(at: number): string {
  const date = new Date(at)
  return `${dayOf(at)} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The start of a day given as 2026-11-21; undefined when invalid. */
export function startOfDay(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  return dayOf(date.getTime()) === text ? date.getTime() : undefined
}
