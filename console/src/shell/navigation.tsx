import { useEffect, useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { VIEWS } from '../views.ts'

export function Navigation() {
  const [location] = useLocation()
  const bar = useRef<HTMLElement>(null)
  // In a narrow window the bar scrolls sideways.
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [location])
  return (
    <nav class="navigation" aria-label="Views" ref={bar}>
      {VIEWS.map(({ path, title }) => (
        <Link
          key={path}
          href={`/${path}`}
          aria-current={location === `/${path}` || location.startsWith(`/${path}/`) ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
      <span class="navigation-rest" />
      <a href="./docs" class="quiet">
        API docs
      </a>
    </nav>
  )
}
