// The names of projects, which differ in more than their case.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** The form in which the names of projects are compared. */
export function projectForm(projectID: string): string {
  return projectID.toLowerCase();
}

/** Gives a connection `project_form`, the same in SQL; null where there is no project. */
export function addProjectForm(database: Pick<Sqlite, 'function'>): void {
  database.function('project_form', { deterministic: true }, (projectID: unknown) =>
    typeof projectID === 'string' ? projectForm(projectID) : null,
  );
}
