import { Problem, type Violation } from '../../errors/problem.ts'

/** A problem whose texts have gone through a function; the same one where nothing changed. */
export function cleanProblem(problem: Problem, clean: (text: string) => string): Problem {
  const { message } = problem
  const detail = clean(message)
  const violations = problem.violations.map((one) => cleanViolation(one, clean))
  if (detail === message && violations.every((one, at) => one === problem.violations[at])) return problem
  return problem.with({ detail, violations })
}

function cleanViolation(violation: Violation, clean: (text: string) => string): Violation {
  const cleaned = Object.entries(violation).map(([name, text]: [string, string]) => [name, clean(text)] as const)
  const isSame = cleaned.every(([name, text]) => violation[name as keyof Violation] === text)
  return isSame ? violation : { ...violation, ...Object.fromEntries(cleaned) }
}
