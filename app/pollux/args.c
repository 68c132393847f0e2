/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "args.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

/*
 * pollux [EAL options] -- [options]
 *
 * Without "--" all words are Pollux's own: "pollux -i" is what people type, and EAL's options in
 * front of no
 * "--" are pointed at in the error. "pollux ctl" is another program in the same binary: the client.
 */

enum {
	OPT_CHECK = 256,
	OPT_CMDLINE_FILE,
	OPT_CONFIG,
	OPT_DEMO,
	OPT_ENGINES,
	OPT_JSON,
	OPT_RUN,
	OPT_SET,
	OPT_SOCKET,
	OPT_STATS_PERIOD,
	OPT_PRINT
};

static const struct option long_opts[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "interactive", no_argument, NULL, 'i' },
	{ "check", no_argument, NULL, OPT_CHECK },
	{ "cmdline-file", required_argument, NULL, OPT_CMDLINE_FILE },
	{ "config", required_argument, NULL, OPT_CONFIG },
	{ "demo", optional_argument, NULL, OPT_DEMO },
	{ "engines", required_argument, NULL, OPT_ENGINES },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "run", required_argument, NULL, OPT_RUN },
	{ "set", required_argument, NULL, OPT_SET },
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "stats-period", required_argument, NULL, OPT_STATS_PERIOD },
	{ "print", required_argument, NULL, OPT_PRINT },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Usage: pollux [EAL options --] [options]\n"
	"       pollux ctl [--socket PATH] [--json] COMMAND...\n"
	"\n"
	"Crypto engines over DPDK's crypto devices. Without EAL options it starts by itself: no huge pages,\n"
	"no PCI, the software devices there are drivers for, one engine a core.\n"
	"\n"
	"  -i, --interactive        prompt with completion and help\n"
	"      --config FILE        read options from FILE, see pollux.conf(5)\n"
	"      --check              read the options, say what is wrong, stop\n"
	"      --set NAME=VALUE     one option, such as engine.burst=64; may be repeated\n"
	"      --engines N          short for --set engine.engines=N\n"
	"      --stats-period TIME  short for --set daemon.stats-period=TIME, such as 1s\n"
	"      --socket PATH        short for --set daemon.socket=PATH; none for no socket\n"
	"      --cmdline-file FILE  run the commands in FILE after the start\n"
	"      --run COMMAND        run one command, then end (unless -i); may be repeated\n"
	"      --demo [FILE]        encrypt, decrypt, hash, sign and verify a file, checked by OpenSSL\n"
	"      --json               answers as JSON, one a line\n"
	"  -v, --verbose            show EAL's own log\n"
	"  -V, --version            versions of Pollux and DPDK\n"
	"  -h, --help               this text; 'help' at the prompt lists the commands\n"
	"      --print DOCUMENT     sample (a commented pollux.conf), manual (pollux.conf(5)), commands (for\n"
	"                           pollux(1)) or reference (the commands in Markdown)\n";

void
args_help(FILE *f)
{
	fputs(help_text, f);
}

static int
list_add(const char **list, int *nb, const char *text, const char *what, struct plx_err *err)
{
	if (*nb == ARGS_LIST_MAX)
		return plx_err_set(err, -EINVAL, "%s is given more than %d times", what,
				   ARGS_LIST_MAX);
	list[(*nb)++] = text;
	return 0;
}

/* A word EAL would know, offered without "--". */
static bool
looks_like_eal(const char *word)
{
	static const char *const names[] = { "--vdev",     "--lcores",    "--no-huge",
					     "--no-pci",   "--in-memory", "--file-prefix",
					     "--allow",    "--block",     "--socket-mem",
					     "--huge-dir", "--no-shconf" };
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(names); i++)
		if (strncmp(word, names[i], strlen(names[i])) == 0)
			return true;
	return word[0] == '-' && word[1] != '\0' && strchr("abcdlmnrsw", word[1]) != NULL;
}

static int
unknown_option(char **argv, int at, struct plx_err *err)
{
	const char *word = at > 0 && argv[at] != NULL ? argv[at] : "?";

	if (looks_like_eal(word))
		return plx_err_set(
			err, -EINVAL,
			"'%s' looks like an EAL option: EAL options stand in front of '--', as in "
			"'pollux -l 0-2 -- -i'",
			word);
	return plx_err_set(err, -EINVAL, "option '%s' is unknown or lacks its value; see --help",
			   word);
}

static int
take_option(struct args *a, int c, char **argv, int at, struct plx_err *err)
{
	switch (c) {
	case 'h':
		a->action = ARGS_HELP;
		return 0;
	case 'V':
		a->action = ARGS_VERSION;
		return 0;
	case OPT_CHECK:
		a->action = ARGS_CHECK;
		return 0;
	case OPT_PRINT:
		a->action = ARGS_PRINT;
		a->print = optarg;
		return 0;
	case 'i':
		a->is_interactive = true;
		return 0;
	case 'v':
		a->is_verbose = true;
		return 0;
	case OPT_JSON:
		a->is_json = true;
		return 0;
	case OPT_CONFIG:
		a->config = optarg;
		return 0;
	case OPT_CMDLINE_FILE:
		a->cmdline_file = optarg;
		return 0;
	case OPT_SOCKET:
		a->socket = optarg;
		return 0;
	case OPT_DEMO:
		a->is_demo = true;
		a->demo_file = optarg;
		return 0;
	case OPT_RUN:
		return list_add(a->runs, &a->nb_runs, optarg, "--run", err);
	case OPT_SET:
		return list_add(a->sets, &a->nb_sets, optarg, "--set", err);
	default:
		return unknown_option(argv, at, err);
	}
}

/* --engines and --stats-period become --set; the texts live as long as the process. */
static int
take_short_form(struct args *a, int c, struct plx_err *err)
{
	static char texts[ARGS_LIST_MAX][64];
	const char *name = c == OPT_ENGINES ? "engine.engines" : "daemon.stats-period";
	char *text = texts[a->nb_sets % ARGS_LIST_MAX];

	if (snprintf(text, sizeof(texts[0]), "%s=%s", name, optarg) >= (int)sizeof(texts[0]))
		return plx_err_set(err, -EINVAL, "'%s' is too long for %s", optarg, name);
	return list_add(a->sets, &a->nb_sets, text, "--set", err);
}

static int
parse_own(struct args *a, int argc, char **argv, struct plx_err *err)
{
	int c, at, ret;

	opterr = 0;
	optind = 0; /* GNU: begin anew */
	for (;;) {
		at = optind > 0 ? optind : 1;
		c = getopt_long(argc, argv, "+hViv", long_opts, NULL);
		if (c == -1)
			break;
		if (c == OPT_ENGINES || c == OPT_STATS_PERIOD)
			ret = take_short_form(a, c, err);
		else
			ret = take_option(a, c, argv, at, err);
		if (ret < 0)
			return ret;
		/* "--demo FILE", as people write it; optional arguments need '=' otherwise */
		if (c == OPT_DEMO && a->demo_file == NULL && optind < argc &&
		    argv[optind][0] != '-')
			a->demo_file = argv[optind++];
	}
	if (optind < argc)
		return plx_err_set(
			err, -EINVAL,
			"'%s' is no option; to run a command give --run '%s' or use 'pollux ctl'",
			argv[optind], argv[optind]);
	return 0;
}

static int
parse_ctl(struct args *a, int argc, char **argv, struct plx_err *err)
{
	int c, at;

	a->action = ARGS_CTL;
	opterr = 0;
	optind = 0;
	for (;;) {
		at = optind > 0 ? optind : 1;
		c = getopt_long(argc, argv, "+h", long_opts, NULL);
		if (c == -1)
			break;
		if (c == OPT_SOCKET)
			a->socket = optarg;
		else if (c == OPT_JSON)
			a->is_json = true;
		else if (c == 'h')
			a->action = ARGS_HELP;
		else
			return plx_err_set(err, -EINVAL,
					   "pollux ctl takes --socket PATH and --json, not '%s'",
					   argv[at]);
	}
	a->words = argv + optind;
	a->nb_words = argc - optind;
	if (a->nb_words == 0 && a->action == ARGS_CTL)
		return plx_err_set(err, -EINVAL,
				   "pollux ctl needs a command, such as: pollux ctl show engines");
	return 0;
}

int
args_parse(int argc, char **argv, struct args *args, struct plx_err *err)
{
	int i;

	memset(args, 0, sizeof(*args));
	args->action = ARGS_RUN;
	if (argc > 1 && strcmp(argv[1], "ctl") == 0)
		return parse_ctl(args, argc - 1, argv + 1, err);

	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			break;
	if (i == argc)
		return parse_own(args, argc, argv, err);

	if (i > 1) {
		args->eal_argv = argv;
		args->eal_argc = i;
	}
	argv[i] = argv[0]; /* the own options' "program name" in place of "--" */
	return parse_own(args, argc - i, argv + i, err);
}
