// Projects that were opened before, with the command that opens each.
import { project } from './start.js';
import { word } from './words/word.js';

export function ProjectsView() {
  return (
    <section>
      <h1>{word('nav.projects')}</h1>
      <ul class="plain">
        {project.value.recent.map(({ name, folder, openedAt }) => (
          <li key={folder}>
            <strong>{name}</strong> <time>{new Date(openedAt).toLocaleString()}</time>
            <br />
            <code>galley open {folder}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
