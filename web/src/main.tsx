// Where the page begins: who is let in, then the view that the address names.
import { render } from 'preact';
import { App } from './shell/app.js';
import { begin } from './shell/start.js';
import './shell/style.css';

const place = document.getElementById('page');
if (place !== null) {
  render(<App />, place);
  void begin();
}
