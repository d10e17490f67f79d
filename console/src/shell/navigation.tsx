import { Link, useLocation } from 'wouter-preact'
import { VIEWS } from '../views.ts'

export function Navigation() {
  const [location] = useLocation()
  return (
    <nav class="navigation" aria-label="Views">
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
