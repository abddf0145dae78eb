// Projects that were opened before, with the command that opens each.
import { project } from './start.js';
import { moment, word } from './words/word.js';

export function ProjectsView() {
  return (
    <section>
      <h1>{word('nav.projects')}</h1>
      <ul class="plain">
        {project.value.recent.map(({ name, folder, openedAt }) => (
          <li key={folder} class="project-entry">
            <strong>{name}</strong> <time>{moment(openedAt)}</time>
            <br />
            <code>galley open {folder}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
