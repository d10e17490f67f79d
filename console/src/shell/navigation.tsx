import { Fragment } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { Icon } from '../parts/icon.tsx'
import { connectionProblem, info } from '../session.ts'
import { type View, VIEWS } from '../views.ts'
import { openDialog } from './keyboard.ts'
import './navigation.css'

export function Navigation() {
  const [location] = useLocation()
  const bar = useRef<HTMLElement>(null)
  const more = useMore(bar)
  // In a narrow window the bar scrolls sideways.
  useEffect(() => showCurrent(bar.current), [location, info.value])
  return (
    <nav class="navigation" aria-label="Views" ref={bar}>
      <More isThere={more.before} side="before" bar={bar} />
      {Object.entries(Object.groupBy(VIEWS.filter(isUseful), ({ group }) => group)).map(([group, views]) => (
        <Fragment key={group}>
          <span class="navigation-group" aria-hidden="true">
            {group}
          </span>
          {views.map(({ path, title, icon }) => (
            <Link
              key={path}
              href={`/${path}`}
              aria-current={location === `/${path}` || location.startsWith(`/${path}/`) ? 'page' : undefined}
            >
              <Icon name={icon} />
              {title}
            </Link>
          ))}
        </Fragment>
      ))}
      <span class="navigation-rest" />
      <a href="./docs" class="quiet">
        <Icon name="docs" />
        API docs
      </a>
      <button class="navigation-keys quiet" onClick={() => (openDialog.value = 'keys')}>
        <Icon name="keyboard" />
        Keyboard
        <kbd>?</kbd>
      </button>
      <More isThere={more.after} side="after" bar={bar} />
    </nav>
  )
}

/** Whether the contract has what a view is about. While nothing can be shown, no view is left out. */
export function isUseful({ of }: View): boolean {
  const operations = info.value?.operations
  if (of === undefined || (operations === undefined && connectionProblem.value)) return true
  if (of === 'webhooks') return info.value?.hasWebhooks === true
  if (of === 'streams') return info.value?.hasStreams === true
  // Handlers of users may keep documents of their own.
  if (of === 'collections')
    return operations?.some(({ collection, handler }) => collection !== undefined || handler === 'own') === true
  const name = of === 'files' ? 'searchFiles' : 'ReportSchedule'
  return operations?.some(({ handler }) => handler.endsWith(name)) === true
}

interface MoreProps {
  readonly isThere: boolean
  readonly side: 'before' | 'after'
  readonly bar: { readonly current: HTMLElement | null }
}

/** A sign at the edge of the bar that there are more views. The keyboard reaches them without it. */
function More({ isThere, side, bar }: MoreProps) {
  const scroll = () => {
    const width = (bar.current?.clientWidth ?? 0) * 0.7
    bar.current?.scrollBy({ left: side === 'after' ? width : -width, behavior: 'smooth' })
  }
  return (
    <button
      class={`navigation-more navigation-more-${side}`}
      tabIndex={-1}
      aria-hidden="true"
      hidden={!isThere}
      onClick={scroll}
    >
      {side === 'after' ? '›' : '‹'}
    </button>
  )
}

function showCurrent(bar: HTMLElement | null): void {
  bar?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
}

/** Whether a bar that scrolls sideways goes on before and after what is in view. */
function useMore(bar: { readonly current: HTMLElement | null }) {
  const [more, setMore] = useState({ before: false, after: false })
  useEffect(() => {
    const element = bar.current
    if (!element) return undefined
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      setMore({ before: scrollLeft > 8, after: scrollLeft + clientWidth < scrollWidth - 8 })
    }
    const observer = new ResizeObserver(() => {
      showCurrent(element)
      look()
    })
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [info.value])
  return more
}
