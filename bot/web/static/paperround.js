// Conveniences on top of pages that are whole without them: save, keys, ask in place, find.
(() => {
  "use strict";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (selector, within = document) => within.querySelector(selector);

  // ------------------------------------------------------------ save, in this browser
  const SHELF = "paperround.saved";
  const MOST = 500; // as many as one address can name; bot/web/door.py says the same
  const shelf = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(SHELF) || "[]");
      return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
    } catch { return []; }
  };
  // Where a person let this browser save in their name: the address of their own page.
  const PERSON = "paperround.person";
  const whose = () => {
    try {
      const at = localStorage.getItem(PERSON) || "";
      return at.startsWith("/l/") ? at : "";
    } catch { return ""; }
  };
  const put = (ids) => {
    try { localStorage.setItem(SHELF, JSON.stringify(ids)); return true; }
    catch { return false; }
  };
  const told = document.createElement("p");
  told.className = "note told";
  told.setAttribute("role", "alert");
  const tell = (beside, ...words) => {
    told.replaceChildren(...words);
    beside?.after(told);
  };
  const doors = (id) => one(`.doors:has(button.save[data-id="${CSS.escape(id)}"])`);
  const full = () => {
    const link = document.createElement("a");
    link.href = "/saved";
    link.textContent = "remove some";
    return [`This browser keeps ${MOST} papers, as many as one address can name. Take them along, then `, link, "."];
  };
  const NOWHERE = "This browser keeps nothing for these pages, so nothing is saved; allow it to store their data.";
  const show = (button, saved) => {
    button.hidden = false;
    button.setAttribute("aria-pressed", saved);
    button.firstChild.textContent = saved ? "Saved" : "Save";
  };
  const keep = (id, saved) => {
    const others = shelf().filter((other) => other !== id);
    if (!put(saved ? [id, ...others] : others)) return false;
    all("button.save").filter((b) => b.dataset.id === id).forEach((b) => show(b, saved));
    return true;
  };
  const toggle = async (id) => {
    const saved = !shelf().includes(id);
    told.remove();
    if (saved && shelf().length >= MOST) { tell(doors(id), ...full()); return; }
    if (!keep(id, saved)) { tell(doors(id), NOWHERE); return; }
    const person = whose();
    if (person) await passOn(person, id, saved);
  };
  // To the person's own page as well.  What it does not take is not shown as saved there.
  const passOn = async (person, id, saved) => {
    const body = new URLSearchParams({ do: `${saved ? "save" : "unsave"} ${id}` });
    const answer = await fetch(person, { method: "POST", body }).catch(() => null);
    if (answer?.ok) return;
    if (answer?.status === 400) {
      localStorage.removeItem(PERSON);
      tell(doors(id), "In this browser only: the link to your own page works no more. Open that page from your newest mail, and let papers come there again.");
      return;
    }
    keep(id, !saved);
    tell(doors(id), "Your own page did not take it, so nothing changed; press again in a minute.");
  };
  all("button.save").forEach((button) => {
    show(button, shelf().includes(button.dataset.id));
    button.addEventListener("click", () => toggle(button.dataset.id));
  });
  if (location.pathname === "/saved" && !location.search && shelf().length) {
    location.replace("/saved?ids=" + shelf().map(encodeURIComponent).join(","));
  }
  all(".mine").forEach((line) => {
    const at = line.dataset.person;
    const button = one("button", line);
    const say = () => {
      button.textContent = whose() === at
        ? "Papers saved in this browser come here. Stop that."
        : "Let papers saved in this browser come here";
    };
    line.hidden = false;
    say();
    button.addEventListener("click", () => {
      if (whose() === at) localStorage.removeItem(PERSON);
      else localStorage.setItem(PERSON, at);
      say();
    });
  });
  all(".needs-script").forEach((words) => { words.hidden = true; });
  all("button.copy").forEach((button) => {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.text);
      button.textContent = "Copied";
    });
  });
  all("button.keep").forEach((button) => {
    const ids = button.dataset.ids.split(",");
    button.hidden = ids.every((id) => shelf().includes(id));
    button.addEventListener("click", () => {
      const both = [...new Set([...ids, ...shelf()])];
      if (both.length > MOST) { tell(button.parentElement, ...full()); return; }
      if (!put(both)) { tell(button.parentElement, NOWHERE); return; }
      button.hidden = true;
      all("button.save").forEach((b) => show(b, shelf().includes(b.dataset.id)));
    });
  });

  all("input[name=zone]").forEach((field) => {
    field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  });

  // ------------------------------------------------------------ keys
  const rows = all(".reader .rows a");
  const cards = rows.length ? [] : all(".cards .card");
  const targeted = () => {
    const at = rows.findIndex((row) => row.getAttribute("href") === location.hash);
    return at < 0 ? 0 : at;
  };
  let current = rows.length ? targeted() : -1;
  const mark = () => rows.forEach((row, n) => {
    if (n === current) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  });
  const go = (n) => {
    const many = rows.length || cards.length;
    if (!many) return;
    current = Math.max(0, Math.min(many - 1, n));
    if (rows.length) {
      location.replace(rows[current].getAttribute("href"));
      mark();
      rows[current].scrollIntoView({ block: "nearest" });
    } else {
      cards[current].focus({ preventScroll: true });
      cards[current].scrollIntoView({ block: "start" });
    }
  };
  const chosen = () => rows[current]?.dataset.id ?? cards[current]?.dataset.id;
  if (rows.length) mark();
  addEventListener("hashchange", () => { if (rows.length) { current = targeted(); mark(); } });

  const help = document.createElement("dialog");
  help.setAttribute("aria-labelledby", "keys-title");
  help.innerHTML = `<h2 id="keys-title">Keys</h2><dl>
    <dt><kbd>J</kbd> <kbd>K</kbd></dt><dd>next, previous paper</dd>
    <dt><kbd>Enter</kbd></dt><dd>open the paper</dd>
    <dt><kbd>S</kbd></dt><dd>save it, or not</dd>
    <dt><kbd>/</kbd></dt><dd>find</dd>
    <dt><kbd>?</kbd></dt><dd>show this</dd></dl>
    <form method="dialog"><button class="button">Close</button></form>`;
  document.body.append(help);
  all("button.keys").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => help.showModal());
  });

  const keys = {
    j: () => go(current + 1),
    k: () => go(current - 1),
    s: () => { const id = chosen(); if (id) toggle(id); },
    "?": () => help.showModal(),
    "/": () => one("input[type=search]")?.focus(),
    Enter: () => { const id = chosen(); if (id) location.assign(one(`article[data-id="${CSS.escape(id)}"] .title a`).href); },
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const on = event.target;
    if (on.closest("input, textarea, select")) return;
    if (event.key === "Enter" && on.closest("a, button, summary")) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // ------------------------------------------------------------ ask, without leaving
  all("form.ask").forEach((form) => {
    const status = one(".asking", form);
    let asking = null;
    const cancel = document.createElement("button");
    cancel.type = "button";
    cancel.textContent = "Cancel";
    cancel.addEventListener("click", () => asking?.abort());
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      asking?.abort();
      asking = new AbortController();
      const mine = asking;
      const of = status.dataset.of;
      status.hidden = false;
      status.replaceChildren(of === "1" ? "Reading … " : `Reading ${of} papers … `, cancel);
      const words = new URLSearchParams(new FormData(form));
      const address = `${form.getAttribute("action")}?${words}`;
      try {
        const reply = await fetch(`${address}&only=1`, { signal: mine.signal });
        const html = await reply.text();
        if (!reply.ok) { location.assign(address); return; }
        one("#answer", form.parentElement)?.remove();
        form.insertAdjacentHTML("afterend", html);
        status.hidden = true;
      } catch {
        status.replaceChildren(mine.signal.aborted ? "Cancelled." : "No answer came; ask again.");
      }
    });
  });

  // ------------------------------------------------------------ find a topic as you type
  const find = one("form.find input[type=search]");
  if (find) {
    const topics = all(".topics li").map((row) => [row, `${row.textContent} ${row.dataset.also}`.toLowerCase()]);
    const said = one("#found");
    find.addEventListener("input", () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const seen = new Set();
      topics.forEach(([row, text]) => {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) seen.add(one("a", row).href);
      });
      all(".groups section, .fields section").forEach((section) => {
        section.hidden = !one("li:not([hidden])", section);
      });
      said.textContent = words.length ? `${seen.size} ${seen.size === 1 ? "topic" : "topics"} for “${find.value}”.` : "";
    });
  }
})();
